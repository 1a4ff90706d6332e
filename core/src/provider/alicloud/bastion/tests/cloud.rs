//! A cloud with a network and perhaps a bastion, which answers as ECS and VPC do.

use serde_json::{Value, json};

use crate::document::parse;
use crate::policy::{PlanRequest, StatusRequest};
use crate::provider::alicloud::bastion;

/// The name of the bastion of [`request`].
const NAME: &str = "shoot--dev--foo-tunnel-bastion-3fe4b";

pub struct Cloud {
    pub groups: Vec<Value>,
    /// The rules of every group.
    pub rules: Vec<Value>,
    pub instances: Vec<Value>,
    /// Whether the account may list instances.
    pub may_list: bool,
    /// Actions that find nothing of the network.
    pub missing: Vec<&'static str>,
    /// The zone of the VSwitch.
    pub zone: &'static str,
    /// The architecture of the image.
    pub architecture: &'static str,
    /// Machine types with one and with two cores.
    pub offers: [Vec<&'static str>; 2],
}

impl Cloud {
    pub fn new() -> Self {
        Self {
            groups: Vec::new(),
            rules: Vec::new(),
            instances: Vec::new(),
            may_list: true,
            missing: Vec::new(),
            zone: "cn-shanghai-b",
            architecture: "x86_64",
            offers: [vec!["ecs.small", "ecs.arm"], vec!["ecs.large", "ecs.small"]],
        }
    }

    /// Makes what a run would have made.
    pub fn make(&mut self, group: &str, instance: &str) {
        let tags = json!([{ "TagKey": "bastion.trellis.gardener.cloud/uid", "TagValue": "u-1" }]);
        self.groups
            .push(json!({ "SecurityGroupId": group, "SecurityGroupName": format!("{NAME}-sg"), "VpcId": "vpc-1",
            "Tags": { "Tag": tags } }));
        let rule = |index: usize, direction: &str, policy: &str, ports: &str, priority: u8, side: Value| {
            let mut rule = json!({ "SecurityGroupRuleId": format!("sgr-{index}"), "Direction": direction,
                "Policy": policy, "IpProtocol": "TCP", "PortRange": ports, "Priority": priority.to_string() });
            rule.as_object_mut().unwrap().extend(side.as_object().unwrap().clone());
            rule
        };
        self.rules = vec![
            rule(0, "ingress", "Accept", "22/22", 1, json!({ "SourceCidrIp": "203.0.113.0/24" })),
            rule(1, "ingress", "Accept", "22/22", 1, json!({ "Ipv6SourceCidrIp": "2001:db8::/32" })),
            rule(2, "egress", "Accept", "22/22", 1, json!({ "DestGroupId": "sg-nodes" })),
            rule(3, "egress", "Drop", "1/65535", 100, json!({ "DestCidrIp": "0.0.0.0/0" })),
        ];
        self.instances.push(json!({ "InstanceId": instance, "InstanceName": NAME, "Status": "Running",
            "PublicIpAddress": { "IpAddress": ["198.51.100.7"] },
            "SecurityGroupIds": { "SecurityGroupId": [group] }, "Tags": { "Tag": tags } }));
    }

    fn answer(&self, query: &Value) -> Value {
        let call = &query["call"];
        let parameter = |name: &str| call["parameters"][name].as_str().unwrap_or_default();
        let action = call["action"].as_str().unwrap();
        let having = |all: &[Value], member: &str| -> Vec<Value> {
            all.iter().filter(|one| one[member] == parameter(member)).cloned().collect()
        };
        let of_network = |one: Value| if self.missing.contains(&action) { Vec::new() } else { vec![one] };
        let (list, entries) = match action {
            "GetCallerIdentity" => return json!({ "response": { "AccountId": "1000000000000001" } }),
            "DescribeVpcs" => (["Vpcs", "Vpc"], of_network(json!({ "VpcId": "vpc-1" }))),
            "DescribeVSwitches" => {
                (["VSwitches", "VSwitch"], of_network(json!({ "VSwitchId": "vsw-1", "ZoneId": self.zone })))
            }
            "DescribeImages" => {
                (["Images", "Image"], of_network(json!({ "ImageId": "m-1", "Architecture": self.architecture })))
            }
            "DescribeSecurityGroups" if parameter("SecurityGroupId") == "sg-nodes" => {
                (["SecurityGroups", "SecurityGroup"], of_network(json!({ "SecurityGroupId": "sg-nodes" })))
            }
            "DescribeSecurityGroups" if parameter("SecurityGroupName").is_empty() => {
                (["SecurityGroups", "SecurityGroup"], having(&self.groups, "SecurityGroupId"))
            }
            "DescribeSecurityGroups" => {
                (["SecurityGroups", "SecurityGroup"], having(&self.groups, "SecurityGroupName"))
            }
            "DescribeSecurityGroupAttribute" => (["Permissions", "Permission"], self.rules.clone()),
            "DescribeInstances" if parameter("DryRun") == "true" => {
                let code = if self.may_list { "DryRunOperation" } else { "Forbidden.RAM" };
                return json!({ "error": { "code": code, "message": "no", "httpStatus": 400 } });
            }
            "DescribeInstances" => (
                ["Instances", "Instance"],
                match parameter("InstanceIds") {
                    _ if !self.may_list => Vec::new(),
                    "" => having(&self.instances, "InstanceName"),
                    ids => {
                        let is_asked = |one: &&Value| ids.contains(one["InstanceId"].as_str().unwrap());
                        self.instances.iter().filter(is_asked).cloned().collect()
                    }
                },
            ),
            "DescribeAvailableResource" => {
                let cores: usize = parameter("Cores").parse().unwrap();
                assert_eq!(parameter("ZoneId"), "cn-shanghai-b");
                let offers =
                    self.offers[cores - 1].iter().map(|name| json!({ "Value": name, "Status": "Available" }));
                let offers: Vec<Value> =
                    offers.chain([json!({ "Value": "ecs.gone", "Status": "SoldOut" })]).collect();
                let resource = json!({ "SupportedResources": { "SupportedResource": offers } });
                let zone = json!({ "AvailableResources": { "AvailableResource": [resource] } });
                return json!({ "response": { "AvailableZones": { "AvailableZone": [zone] } } });
            }
            "DescribeInstanceTypes" => {
                let names = call["parameters"]["InstanceTypes"].as_array().unwrap();
                let of = |name: &Value| {
                    let architecture = if name.as_str().unwrap().contains("arm") { "ARM" } else { "X86" };
                    json!({ "InstanceTypeId": name, "CpuArchitecture": architecture })
                };
                let known = names.iter().filter(|name| name.as_str().unwrap() != "ecs.unknown");
                (["InstanceTypes", "InstanceType"], known.map(of).collect())
            }
            other => panic!("{other}"),
        };
        json!({ "response": { "TotalCount": entries.len(), list[0]: { list[1]: entries } } })
    }

    /// The last answer, and what was asked, the account's left out: each question with the parameter that chooses.
    pub fn plan(&self, request: &Value) -> (Value, Vec<String>) {
        let mut request = request.clone();
        request["facts"] = json!([]);
        let mut asked = Vec::new();
        for _ in 0..6 {
            let answer = planned(&request);
            let Some(queries) = answer["queries"].as_array() else { return (answer, asked) };
            for query in queries {
                let fact = json!({ "query": query["id"], "answer": self.answer(query) });
                request["facts"].as_array_mut().unwrap().push(fact);
                asked.extend(question(&query["call"]));
            }
        }
        panic!("the questions do not end");
    }
}

fn question(call: &Value) -> Option<String> {
    let action = call["action"].as_str().unwrap();
    let ignored = [
        "DestinationResource",
        "InstanceChargeType",
        "MaxResults",
        "NetworkCategory",
        "PageSize",
        "RegionId",
        "ZoneId",
    ];
    let text = |value: &Value| match value {
        Value::Array(values) => values.iter().map(|value| value.as_str().unwrap()).collect::<Vec<_>>().join(","),
        value => value.as_str().unwrap().to_owned(),
    };
    let parameters =
        call["parameters"].as_object().unwrap().iter().filter(|(name, _)| !ignored.contains(&name.as_str()));
    let parameters: Vec<String> = parameters.map(|(name, value)| format!(" {name}={}", text(value))).collect();
    (action != "GetCallerIdentity").then(|| format!("{action}{}", parameters.concat()))
}

fn planned(request: &Value) -> Value {
    let text = request.to_string();
    let document = parse(&text).unwrap();
    serde_json::to_value(bastion::plan(&PlanRequest::read(&document).unwrap()).unwrap()).unwrap()
}

/// The status of a recorded state.
pub fn status(operation: &str, state: &Value) -> Value {
    let text = json!({ "request": request(operation, &json!({}))["request"], "state": state }).to_string();
    let document = parse(&text).unwrap();
    serde_json::to_value(bastion::status(&StatusRequest::read(&document).unwrap()).unwrap()).unwrap()
}

/// A request for a Bastion, with further members of its status.
pub fn request(operation: &str, status: &Value) -> Value {
    json!({ "request": {
        "operation": operation,
        "bastion": {
            "metadata": { "name": "tunnel", "namespace": "shoot--dev--foo", "uid": "u-1" },
            "spec": {
                "type": "alicloud",
                "userData": "IyEvYmluL2Jhc2gK",
                "ingress": [
                    { "ipBlock": { "cidr": "203.0.113.7/24" } },
                    { "ipBlock": { "cidr": "2001:db8::1/32" } },
                    { "ipBlock": { "cidr": "203.0.113.0/24" } },
                ],
            },
            "status": status,
        },
        "cluster": {
            "shoot": { "spec": { "region": "cn-shanghai" } },
            "cloudProfile": { "spec": { "machineTypes": [
                { "name": "ecs.profile.arm", "architecture": "arm64" },
                { "name": "ecs.profile.unusable", "usable": false },
                { "name": "ecs.profile.x86" },
            ] } },
        },
        "infrastructureStatus": {
            "apiVersion": "alicloud.provider.extensions.gardener.cloud/v1alpha1",
            "kind": "InfrastructureStatus",
            "vpc": {
                "id": "vpc-1",
                "vswitches": [{ "purpose": "nodes", "id": "vsw-1", "zone": "cn-shanghai-b" }],
                "securityGroups": [{ "purpose": "nodes", "id": "sg-nodes" }],
            },
            "machineImages": [{ "name": "gardenlinux", "version": "1.0.0", "id": "m-1" }],
        },
    } })
}

/// A recorded state, as the status of an object has it.
pub fn state_of(group: &str, instance: &str) -> Value {
    json!({
        "apiVersion": "alicloud.provider.extensions.gardener.cloud/v1alpha1",
        "kind": "BastionState",
        "data": { "Account": "1000000000000001", "SecurityGroup": group, "Instance": instance },
    })
}

/// The actions of the steps.
pub fn actions(answer: &Value) -> Vec<String> {
    let steps = answer["plan"]["steps"].as_array().unwrap_or_else(|| panic!("{answer}"));
    steps.iter().map(|step| step["call"]["action"].as_str().unwrap().to_owned()).collect()
}

/// The rules of the findings.
pub fn findings(answer: &Value) -> Vec<&str> {
    let findings = answer["findings"].as_array().map(Vec::as_slice).unwrap_or_default();
    findings.iter().map(|finding| finding["rule"].as_str().unwrap()).collect()
}
