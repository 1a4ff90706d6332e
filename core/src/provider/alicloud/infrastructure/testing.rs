//! A cloud of fixed answers, and requests that ask it.

use serde_json::{Value, json};

use super::input::Input;
use super::plan::plan;
use super::state;
use super::world::World;
use crate::call::{Argument, Query};
use crate::document::parse;
use crate::gardener::planning::frame;
use crate::policy::{PlanAnswer, PlanRequest, RequestError, State};

/// Technical id of the Shoot of all tests.
pub const NS: &str = "shoot--dev--ali";

/// What there is, by action: entries as the API shows them.
#[derive(Clone, Debug, Default)]
pub struct Cloud {
    entries: Vec<(&'static str, Value)>,
    errors: Vec<(&'static str, Value)>,
    /// Whether it takes no notice of what lists are narrowed to.
    ignores_filters: bool,
}

/// What comes of reading facts.
pub type Observed = frame::Observed<World>;

/// What was asked and answered until all was known.
#[derive(Debug)]
pub struct Conversation {
    /// Ids of the queries, round by round, without the one for the account.
    pub rounds: Vec<Vec<String>>,
    /// The request, with every fact.
    pub document: Value,
    /// What was observed in the end.
    pub end: Result<Observed, RequestError>,
}

/// Actions with the place of the list in their responses.
const LISTS: &[(&str, &str)] = &[
    ("DescribeVpcs", "/Vpcs/Vpc"),
    ("DescribeVSwitches", "/VSwitches/VSwitch"),
    ("DescribeNatGateways", "/NatGateways/NatGateway"),
    ("DescribeEipAddresses", "/EipAddresses/EipAddress"),
    ("DescribeSnatTableEntries", "/SnatTableEntries/SnatTableEntry"),
    ("DescribeSecurityGroups", "/SecurityGroups/SecurityGroup"),
    ("DescribeSecurityGroupAttribute", "/Permissions/Permission"),
    ("DescribeRouteTableList", "/RouterTableList/RouterTableListType"),
    ("DescribeRouteEntryList", "/RouteEntrys/RouteEntry"),
    ("DescribeIpv6Gateways", "/Ipv6Gateways/Ipv6Gateway"),
    ("ListEnhanhcedNatGatewayAvailableZones", "/Zones"),
    ("ListTagResources", "/TagResources/TagResource"),
    ("DescribeLoadBalancers", "/LoadBalancers/LoadBalancer"),
    ("DescribeVServerGroups", "/VServerGroups/VServerGroup"),
    ("ListLoadBalancers", "/LoadBalancers"),
    ("DescribeImages", "/Images/Image"),
    ("DescribeInstances", "/Instances/Instance"),
    ("ListStacks", "/Stacks"),
];

/// Parameters that choose no entries.
const NO_FILTERS: &[&str] = &["MaxResult", "MaxResults", "PageSize", "RegionId", "ResourceType", "RouteEntryType"];

impl Cloud {
    /// A cloud in which the zones `a`, `b` and `c` offer NAT gateways, and that has their role.
    pub fn new() -> Self {
        let mut cloud = Self::default();
        for zone in ["a", "b", "c"] {
            cloud = cloud.with("ListEnhanhcedNatGatewayAvailableZones", json!({ "ZoneId": zone }));
        }
        cloud
    }

    /// The same with an entry.
    pub fn with(mut self, action: &'static str, entry: Value) -> Self {
        self.entries.push((action, entry));
        self
    }

    /// The same with an action that fails.
    pub fn failing(mut self, action: &'static str, code: &str) -> Self {
        self.errors.push((action, json!({ "code": code, "message": "the cloud says no", "httpStatus": 400 })));
        self
    }

    /// The same next to what others have, which is shown first.
    pub fn with_others(mut self, others: &[(&'static str, Value)]) -> Self {
        self.entries = [others.to_vec(), self.entries].concat();
        self
    }

    /// The same, and a list has everything, whatever it is narrowed to.
    pub fn ignoring_filters(mut self) -> Self {
        self.ignores_filters = true;
        self
    }

    /// The same without what some action shows.
    pub fn without(mut self, action: &'static str) -> Self {
        self.entries.retain(|(of, _)| *of != action);
        self
    }

    /// A network that was made for zones, in a VPC that is managed.
    pub fn made(zones: &[&str]) -> Self {
        Self::new()
            .with(
                "DescribeVpcs",
                json!({ "VpcId": "vpc-1", "VpcName": format!("{NS}-vpc"), "CidrBlock": "10.250.0.0/16",
                        "Status": "Available", "Tags": tags(NS) }),
            )
            .with_children("vpc-1", zones)
            .with(
                "DescribeNatGateways",
                json!({ "NatGatewayId": "ngw-1", "VpcId": "vpc-1", "Name": format!("{NS}-natgw"), "Status": "Available",
                        "NatGatewayPrivateInfo": { "VswitchId": "vsw-a" }, "SnatTableIds": { "SnatTableId": ["stb-1"] },
                        "IpLists": { "IpList": [{ "AllocationId": "eip-a", "IpAddress": "198.18.0.1" }] },
                        "Tags": long_tags(&format!("{NS}-natgw")) }),
            )
    }

    /// The same with all that the VPC has of a Shoot, save the NAT gateway.
    pub fn with_children(mut self, vpc: &str, zones: &[&str]) -> Self {
        for (index, zone) in zones.iter().enumerate() {
            let (id, eip) = (format!("vsw-{zone}"), format!("eip-{zone}"));
            self = self
                .with(
                    "DescribeVSwitches",
                    json!({ "VSwitchId": id, "VpcId": vpc, "VSwitchName": format!("{NS}-{zone}-vsw"), "ZoneId": zone,
                            "CidrBlock": format!("10.250.{}.0/24", index + 1), "Status": "Available",
                            "RouteTable": { "RouteTableId": "vtb-0" }, "Tags": tags(&format!("{NS}-nodes-z{index}")) }),
                )
                .with(
                    "DescribeEipAddresses",
                    json!({ "AllocationId": eip, "Name": format!("{NS}-eip-natgw-z{index}"),
                            "IpAddress": format!("198.18.0.{}", index + 1), "Bandwidth": "100",
                            "InternetChargeType": "PayByTraffic", "Status": "InUse", "InstanceId": "ngw-1",
                            "InstanceType": "Nat", "Tags": tags(&format!("{NS}-eip-natgw-z{index}")) }),
                )
                .with(
                    "DescribeSnatTableEntries",
                    json!({ "SnatEntryId": format!("snat-{zone}"), "SnatTableId": "stb-1", "NatGatewayId": "ngw-1",
                            "SourceVSwitchId": id, "SnatIp": format!("198.18.0.{}", index + 1), "Status": "Available" }),
                );
        }
        self.with(
            "DescribeSecurityGroups",
            json!({ "SecurityGroupId": "sg-1", "SecurityGroupName": format!("{NS}-sg"), "VpcId": vpc,
                    "Tags": long_tags(&format!("{NS}-sg")) }),
        )
        .with(
            "DescribeSecurityGroupAttribute",
            json!({ "SecurityGroupId": "sg-1", "SecurityGroupRuleId": "sgr-1", "Direction": "ingress",
                    "Policy": "Accept", "Priority": "1", "IpProtocol": "TCP", "PortRange": "30000/32767",
                    "SourceCidrIp": "0.0.0.0/0", "DestCidrIp": "" }),
        )
    }

    /// The answer to a query.
    fn answer(&self, query: &Query) -> Value {
        let action = query.call.action;
        if let Some((_, error)) = self.errors.iter().find(|(of, _)| *of == action) {
            return json!({ "error": error });
        }
        match action {
            "GetRole" => return json!({ "response": { "Role": { "IsServiceLinkedRole": true } } }),
            "GetCallerIdentity" => return json!({ "response": { "AccountId": "1000000000000001" } }),
            _ => {}
        }
        let (_, list) = LISTS.iter().find(|(of, _)| *of == action).unwrap();
        // What an action cannot do without is no filter.
        let is_heeded = |name: &str| {
            let needed = [
                ("DescribeSecurityGroupAttribute", "SecurityGroupId"),
                ("DescribeVServerGroups", "LoadBalancerId"),
            ];
            !self.ignores_filters || needed.contains(&(action, name))
        };
        let chosen = |entry: &&Value| {
            let mut filters = query.call.parameters.iter().filter(|(name, _)| is_heeded(name));
            filters.all(|(name, value)| matches(entry, name, value))
        };
        let entries: Vec<&Value> =
            self.entries.iter().filter(|(of, _)| *of == action).map(|(_, entry)| entry).filter(chosen).collect();
        let total = entries.len();
        let mut response = json!(entries);
        for key in list.split('/').rev().filter(|key| !key.is_empty()) {
            response = json!({ key: response });
        }
        response["TotalCount"] = json!(total);
        json!({ "response": response })
    }
}

fn matches(entry: &Value, name: &str, value: &Argument) -> bool {
    let is = |member: &str, wanted: &str| wanted.split(',').any(|wanted| entry[member] == wanted);
    match value {
        _ if NO_FILTERS.contains(&name) => true,
        Argument::Text(wanted) => is(name, wanted),
        Argument::List(wanted) if name == "Tag" => wanted.iter().all(|tag| {
            let Argument::Object(tag) = tag else { return false };
            let text = |key| tag.get(key).map(|value| json!(value));
            let lists = [&entry["Tags"]["Tag"], &entry["Tags"]];
            lists.iter().filter_map(|tags| tags.as_array()).flatten().any(|known| {
                let known =
                    |a: &str, b: &str| Some(if known[a].is_null() { &known[b] } else { &known[a] }).cloned();
                known("Key", "TagKey") == text("Key") && known("Value", "TagValue") == text("Value")
            })
        }),
        Argument::List(wanted) => wanted.iter().any(|wanted| json!(wanted) == entry[name]),
        _ => false,
    }
}

/// Tags of a resource of the Shoot, as most actions spell them.
pub fn tags(name: &str) -> Value {
    json!({ "Tag": [{ "Key": "Name", "Value": name }, { "Key": format!("kubernetes.io/cluster/{NS}"), "Value": "1" }] })
}

/// Tags of a resource of the Shoot, as other actions spell them.
pub fn long_tags(name: &str) -> Value {
    json!({ "Tag": [{ "TagKey": "Name", "TagValue": name },
                    { "TagKey": format!("kubernetes.io/cluster/{NS}"), "TagValue": "1" }] })
}

/// A request of an operation for zones in a VPC, with a recorded state.
pub fn request(operation: &str, vpc: &Value, zones: &[&str], state: &Value) -> Value {
    let zones: Vec<Value> = zones
        .iter()
        .enumerate()
        .map(|(index, zone)| json!({ "name": zone, "workers": format!("10.250.{}.0/24", index + 1) }))
        .collect();
    json!({
        "request": {
            "operation": operation,
            "infrastructure": {
                "metadata": { "name": "ali", "namespace": NS },
                "spec": {
                    "region": "cn-shanghai",
                    "providerConfig": {
                        "apiVersion": "alicloud.provider.extensions.gardener.cloud/v1alpha1",
                        "kind": "InfrastructureConfig",
                        "networks": { "vpc": vpc, "zones": zones }
                    }
                }
            },
            "cluster": { "shoot": { "spec": { "networking": { "pods": "100.96.0.0/11" } } } }
        },
        "state": state
    })
}

/// A VPC that is managed.
pub fn managed() -> Value {
    json!({ "cidr": "10.250.0.0/16" })
}

/// The state that is recorded of [`Cloud::made`].
pub fn recorded(zones: &[&str]) -> Value {
    let mut state = json!({ "VPC": "vpc-1", "NodesSecurityGroup": "sg-1", "NatGateway": "ngw-1" });
    for (index, zone) in zones.iter().enumerate() {
        state[format!("Zones/{zone}/Suffix")] = json!(format!("z{index}"));
        state[format!("Zones/{zone}/VSwitch")] = json!(format!("vsw-{zone}"));
        state[format!("Zones/{zone}/NATGatewayElasticIP")] = json!(format!("eip-{zone}"));
        state[format!("Zones/{zone}/NATGatewayElasticIPAddress")] = json!(format!("198.18.0.{}", index + 1));
    }
    state
}

/// What is observed with the facts of a document.
pub fn observed(document: &Value) -> Result<Observed, RequestError> {
    with_input(document, |input, state, request| frame::observe(input, state, request))
}

/// Reads a document, and does something with what was read.
pub fn with_input<T>(document: &Value, then: impl FnOnce(&Input<'_>, &State, &PlanRequest<'_>) -> T) -> T {
    let text = document.to_string();
    let value = parse(&text).unwrap();
    let request = PlanRequest::read(&value).unwrap();
    let state = state::read(&request.request, request.state.as_ref()).unwrap();
    let input = Input::read(&request.request, &state).unwrap();
    then(&input, &state, &request)
}

/// Asks a cloud until all is known.
pub fn converse(cloud: &Cloud, mut document: Value) -> Conversation {
    let mut rounds: Vec<Vec<String>> = Vec::new();
    document["facts"] = json!([]);
    for _ in 0..6 {
        let end = observed(&document);
        let Ok(Observed::Queries(queries)) = &end else { return Conversation { rounds, document, end } };
        assert!(!queries.is_empty(), "a round asks something");
        for query in queries {
            assert!(!rounds.iter().flatten().any(|known| *known == query.id), "{} is asked twice", query.id);
            let fact = json!({ "query": query.id, "answer": cloud.answer(query) });
            document["facts"].as_array_mut().unwrap().push(fact);
        }
        let of_account = queries.iter().filter(|query| query.identity.is_some()).count();
        assert_eq!(of_account, usize::from(rounds.is_empty()), "who asks is asked once, beside the first reads");
        rounds
            .push(queries.iter().filter(|query| query.identity.is_none()).map(|query| query.id.clone()).collect());
    }
    panic!("the questions do not end: {rounds:?}");
}

impl Conversation {
    /// The world that was observed.
    pub fn world(&self) -> &World {
        match &self.end {
            Ok(Observed::World(world, _)) => world,
            other => panic!("no world: {other:?}"),
        }
    }

    /// How often each action was called, by round.
    pub fn calls(&self) -> Vec<Vec<&str>> {
        let action = |id: &String| -> &str { Box::leak(id.clone().into_boxed_str()).split('/').nth(1).unwrap() };
        self.rounds.iter().map(|round| round.iter().map(action).collect()).collect()
    }

    /// Rule, field, detail of each error, and the codes of all.
    pub fn errors(&self) -> (Vec<(&str, &str, &str)>, Vec<&str>) {
        match &self.end {
            Ok(Observed::Errors(errors)) => (
                errors.findings.iter().map(|it| (it.rule, it.field.as_str(), it.detail.as_str())).collect(),
                errors.codes.clone(),
            ),
            other => panic!("no errors: {other:?}"),
        }
    }
}

/// Plans from a document.
pub fn planned(document: &Value) -> PlanAnswer {
    let text = document.to_string();
    let value = parse(&text).unwrap();
    plan(&PlanRequest::read(&value).unwrap()).unwrap()
}
