//! A small model of Alibaba Cloud's networks: what it has, what it answers, and what calls do to it. Every change
//! is done at once, and whatever the real cloud would refuse for good is an error.

mod changing;
mod resources;

use std::collections::BTreeMap;

use serde_json::{Value, json};

/// Resources by kind, as the recorded worlds name the kinds.
pub type Resources = BTreeMap<String, Vec<Value>>;

/// An account in one region.
#[derive(Clone, Debug, Default)]
pub struct Cloud {
    /// What there is.
    pub resources: Resources,
    /// Every call, as `service:action`.
    pub calls: Vec<String>,
    /// Zones that offer NAT gateways.
    pub zones: Vec<String>,
    /// What is not as usual.
    pub oddities: Vec<Oddity>,
    /// Stacks of ROS.
    pub stacks: Vec<Value>,
    /// Instances that have the key pair of the Shoot.
    pub key_pair_instances: Vec<String>,
    /// Images that the account sees.
    pub images: Vec<String>,
    made: usize,
    replays: BTreeMap<String, Value>,
}

/// Something that is not as usual.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Oddity {
    /// The account has no role for NAT gateways.
    NoRole,
    /// Somebody made a role of that name.
    OtherRole,
    /// The tags of NAT gateways have to be asked for by themselves.
    HidesGatewayTags,
    /// The tags of security groups are spelled `TagKey` and `TagValue`.
    SpellsTagsLong,
    /// The images are Alibaba Cloud's own.
    OwnsImages,
}

/// A kind of resource: its name, where lists of it are, the member that is its id, and what ids of it begin with.
type Kind = (&'static str, &'static [&'static str], &'static str, &'static str);

const KINDS: &[Kind] = &[
    ("VPC", &["Vpcs", "Vpc"], "VpcId", "vpc"),
    ("VSWITCH", &["VSwitches", "VSwitch"], "VSwitchId", "vsw"),
    ("NATGATEWAY", &["NatGateways", "NatGateway"], "NatGatewayId", "ngw"),
    ("EIP", &["EipAddresses", "EipAddress"], "AllocationId", "eip"),
    ("SNAT", &["SnatTableEntries", "SnatTableEntry"], "SnatEntryId", "snat"),
    ("ROUTETABLE", &["RouterTableList", "RouterTableListType"], "RouteTableId", "vtb"),
    ("ROUTEENTRY", &["RouteEntrys", "RouteEntry"], "RouteEntryId", "rte"),
    ("IPV6GATEWAY", &["Ipv6Gateways", "Ipv6Gateway"], "Ipv6GatewayId", "ipv6gw"),
    ("securitygroup", &["SecurityGroups", "SecurityGroup"], "SecurityGroupId", "sg"),
    ("SLB", &["LoadBalancers", "LoadBalancer"], "LoadBalancerId", "lb"),
    ("NLB", &["LoadBalancers"], "LoadBalancerId", "nlb"),
];

/// What an action does with resources of a kind.
const DESCRIBE: &[(&str, &str)] = &[
    ("vpc:DescribeVpcs", "VPC"),
    ("vpc:DescribeVSwitches", "VSWITCH"),
    ("vpc:DescribeNatGateways", "NATGATEWAY"),
    ("vpc:DescribeEipAddresses", "EIP"),
    ("vpc:DescribeSnatTableEntries", "SNAT"),
    ("vpc:DescribeRouteTableList", "ROUTETABLE"),
    ("vpc:DescribeRouteEntryList", "ROUTEENTRY"),
    ("vpc:DescribeIpv6Gateways", "IPV6GATEWAY"),
    ("ecs:DescribeSecurityGroups", "securitygroup"),
    ("slb:DescribeLoadBalancers", "SLB"),
    ("nlb:ListLoadBalancers", "NLB"),
];
const CREATE: &[(&str, &str)] = &[
    ("vpc:CreateVpc", "VPC"),
    ("vpc:CreateVSwitch", "VSWITCH"),
    ("vpc:CreateNatGateway", "NATGATEWAY"),
    ("vpc:AllocateEipAddress", "EIP"),
    ("vpc:CreateSnatEntry", "SNAT"),
    ("vpc:CreateRouteTable", "ROUTETABLE"),
    ("vpc:CreateRouteEntry", "ROUTEENTRY"),
    ("vpc:CreateIpv6Gateway", "IPV6GATEWAY"),
    ("ecs:CreateSecurityGroup", "securitygroup"),
];
const DELETE: &[(&str, &str)] = &[
    ("vpc:DeleteVpc", "VPC"),
    ("vpc:DeleteVSwitch", "VSWITCH"),
    ("vpc:DeleteNatGateway", "NATGATEWAY"),
    ("vpc:ReleaseEipAddress", "EIP"),
    ("vpc:DeleteSnatEntry", "SNAT"),
    ("vpc:DeleteRouteTable", "ROUTETABLE"),
    ("vpc:DeleteRouteEntry", "ROUTEENTRY"),
    ("vpc:DeleteIpv6Gateway", "IPV6GATEWAY"),
    ("ecs:DeleteSecurityGroup", "securitygroup"),
    ("slb:DeleteLoadBalancer", "SLB"),
    ("nlb:DeleteLoadBalancer", "NLB"),
];

/// Parameters that say nothing about which resources are meant.
const NO_FILTERS: &[&str] = &[
    "RegionId",
    "PageSize",
    "MaxResults",
    "MaxResult",
    "RouteEntryType",
    "RouteTableType",
    "AssociatedInstanceType",
    "Tag",
];

/// An error of the cloud: its code.
pub type Failure = String;

fn kind(name: &str) -> &'static Kind {
    KINDS.iter().find(|kind| kind.0 == name).unwrap_or_else(|| panic!("there are no `{name}`"))
}

fn lookup(table: &'static [(&str, &str)], action: &str) -> Option<&'static Kind> {
    table.iter().find(|(known, _)| *known == action).map(|(_, name)| kind(name))
}

/// A text of an object; empty where there is none.
pub fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

fn tags(list: &Value) -> Value {
    let pairs = list.as_array().into_iter().flatten();
    Value::Object(pairs.map(|tag| (text(tag, "Key").to_owned(), tag["Value"].clone())).collect())
}

impl Cloud {
    /// A cloud with resources.
    pub fn new(resources: &Value, zones: &[&str]) -> Self {
        let resources = resources.as_object().into_iter().flatten();
        let mut cloud = Self {
            resources: resources
                .map(|(kind, list)| (kind.clone(), list.as_array().unwrap_or(&Vec::new()).clone()))
                .collect(),
            zones: zones.iter().map(|&zone| zone.to_owned()).collect(),
            ..Self::default()
        };
        for group in cloud.all_mut("securitygroup") {
            for (index, rule) in group["rules"].as_array_mut().into_iter().flatten().enumerate() {
                rule["SecurityGroupRuleId"] = format!("sgr-{index}").into();
            }
        }
        cloud
    }

    fn is(&self, oddity: Oddity) -> bool {
        self.oddities.contains(&oddity)
    }

    /// All resources of a kind.
    pub fn all(&self, kind: &str) -> &[Value] {
        self.resources.get(kind).map(Vec::as_slice).unwrap_or_default()
    }

    /// All resources of a kind, to be changed.
    pub fn all_mut(&mut self, kind: &str) -> &mut Vec<Value> {
        self.resources.entry(kind.to_owned()).or_default()
    }

    /// The resource with an id, to be changed.
    pub fn get_mut(&mut self, name: &str, id: &str) -> Option<&mut Value> {
        let key = kind(name).2;
        self.all_mut(name).iter_mut().find(|resource| text(resource, key) == id)
    }

    /// Answers a call whose arguments are resolved.
    pub fn call(&mut self, call: &Value) -> Result<Value, Failure> {
        let action = format!("{}:{}", text(call, "service"), text(call, "action"));
        self.calls.push(action.clone());
        let parameters = &call["parameters"];
        if let Some(kind) = lookup(DESCRIBE, &action) {
            return Ok(self.describe(kind, parameters));
        }
        let token = call.get("token").map(|token| format!("{token}{action}{parameters}"));
        if let Some(answer) = token.as_ref().and_then(|token| self.replays.get(token)) {
            return Ok(answer.clone());
        }
        let answer = match (lookup(CREATE, &action), lookup(DELETE, &action)) {
            (Some(kind), _) => self.create(kind, parameters)?,
            (_, Some(kind)) => self.delete(kind, parameters)?,
            _ => self.other(&action, parameters)?,
        };
        if let Some(token) = token {
            self.replays.insert(token, answer.clone());
        }
        Ok(answer)
    }

    fn describe(&self, kind: &Kind, parameters: &Value) -> Value {
        let is_meant = |resource: &&Value| {
            let filters = parameters.as_object().into_iter().flatten();
            let mut filters = filters.filter(|(name, _)| !NO_FILTERS.contains(&name.as_str()));
            let tags = tags(&parameters["Tag"]);
            let mut tags = tags.as_object().into_iter().flatten();
            tags.all(|(key, value)| resource["tags"][key] == *value)
                && filters.all(|(name, value)| {
                    let member = match name.as_str() {
                        "AssociatedInstanceId" => "InstanceId",
                        name => name.trim_end_matches('s'),
                    };
                    match value {
                        Value::Array(values) => values.contains(&resource[member]),
                        value => value
                            .as_str()
                            .unwrap_or_default()
                            .split(',')
                            .any(|value| text(resource, member) == value),
                    }
                })
        };
        let rows: Vec<Value> =
            self.all(kind.0).iter().filter(is_meant).map(|row| self.reported(kind.0, row)).collect();
        let total = rows.len();
        let mut list = Value::Array(rows);
        for name in kind.1.iter().rev() {
            list = json!({ *name: list });
        }
        list["TotalCount"] = total.into();
        list
    }

    /// A resource as the API shows it.
    fn reported(&self, kind: &str, resource: &Value) -> Value {
        let mut reported = resource.clone();
        let tags = resource["tags"].as_object().into_iter().flatten();
        let tags = tags.map(|(key, value)| match kind {
            "securitygroup" if self.is(Oddity::SpellsTagsLong) => json!({ "TagKey": key, "TagValue": value }),
            _ => json!({ "Key": key, "Value": value }),
        });
        if kind != "NATGATEWAY" || !self.is(Oddity::HidesGatewayTags) {
            reported["Tags"] = json!({ "Tag": tags.collect::<Vec<_>>() });
        }
        match kind {
            "NATGATEWAY" => {
                let eips = self.all("EIP").iter().filter(|eip| eip["InstanceId"] == resource["NatGatewayId"]);
                let list: Vec<Value> = eips
                    .map(|eip| json!({ "AllocationId": eip["AllocationId"], "IpAddress": eip["IpAddress"] }))
                    .collect();
                reported["IpLists"] = json!({ "IpList": list });
            }
            "VSWITCH" => {
                let own = resource["RouteTableId"].as_str();
                let kind = if own.is_some() { "Custom" } else { "System" };
                let table = own.unwrap_or("vtb-system");
                reported["RouteTable"] = json!({ "RouteTableId": table, "RouteTableType": kind });
            }
            "ROUTETABLE" => {
                let vswitches = self.all("VSWITCH").iter();
                let ids: Vec<&Value> = vswitches
                    .filter(|vswitch| vswitch["RouteTableId"] == resource["RouteTableId"])
                    .map(|vswitch| &vswitch["VSwitchId"])
                    .collect();
                reported["VSwitchIds"] = json!({ "VSwitchId": ids });
            }
            "ROUTEENTRY" => {
                reported["NextHops"] = json!({ "NextHop": [{ "NextHopId": resource["NextHopId"] }] });
            }
            _ => {}
        }
        reported
    }
}

fn free(eip: &mut Value) {
    eip["Status"] = "Available".into();
    if let Some(eip) = eip.as_object_mut() {
        eip.remove("InstanceId");
        eip.remove("InstanceType");
    }
}

fn ipv6_block(number: &str) -> String {
    format!("2408:4005:100:1d{:02x}::/64", number.parse::<u8>().unwrap_or_default())
}
