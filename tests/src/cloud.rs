//! A small model of Alibaba Cloud's networks: what it has, what it answers, and what calls do to it. Every change is done at
//! once, and whatever the real cloud would refuse for good is an error.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

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
    /// Whether the role for NAT gateways is there.
    pub has_role: bool,
    /// Whether the tags of NAT gateways have to be asked for by themselves.
    pub hides_gateway_tags: bool,
    /// Whether the tags of security groups are spelled `TagKey` and `TagValue`.
    pub spells_tags_long: bool,
    /// Whether somebody made a role of that name.
    pub has_other_role: bool,
    /// Whether the images are Alibaba Cloud's own.
    pub owns_images: bool,
    /// Stacks of ROS.
    pub stacks: Vec<Value>,
    /// Instances that have the key pair of the Shoot.
    pub key_pair_instances: Vec<String>,
    /// Images that the account sees.
    pub images: Vec<String>,
    made: usize,
    replays: BTreeMap<String, Value>,
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
            has_role: true,
            ..Self::default()
        };
        for group in cloud.all_mut("securitygroup") {
            for (index, rule) in group["rules"].as_array_mut().into_iter().flatten().enumerate() {
                rule["SecurityGroupRuleId"] = format!("sgr-{index}").into();
            }
        }
        cloud
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
            self.all(kind.0).iter().filter(is_meant).map(|row| self.told(kind.0, row)).collect();
        let total = rows.len();
        let mut list = Value::Array(rows);
        for name in kind.1.iter().rev() {
            list = json!({ *name: list });
        }
        list["TotalCount"] = total.into();
        list
    }

    /// A resource as the API tells it.
    fn told(&self, kind: &str, resource: &Value) -> Value {
        let mut told = resource.clone();
        let tags = resource["tags"].as_object().into_iter().flatten();
        let tags = tags.map(|(key, value)| match kind {
            "securitygroup" if self.spells_tags_long => json!({ "TagKey": key, "TagValue": value }),
            _ => json!({ "Key": key, "Value": value }),
        });
        if kind != "NATGATEWAY" || !self.hides_gateway_tags {
            told["Tags"] = json!({ "Tag": tags.collect::<Vec<_>>() });
        }
        match kind {
            "NATGATEWAY" => {
                let eips = self.all("EIP").iter().filter(|eip| eip["InstanceId"] == resource["NatGatewayId"]);
                let list: Vec<Value> = eips
                    .map(|eip| json!({ "AllocationId": eip["AllocationId"], "IpAddress": eip["IpAddress"] }))
                    .collect();
                told["IpLists"] = json!({ "IpList": list });
            }
            "VSWITCH" => {
                told["RouteTable"] =
                    json!({ "RouteTableId": resource["RouteTableId"].as_str().unwrap_or("vtb-system") })
            }
            "ROUTETABLE" => {
                let vswitches = self.all("VSWITCH").iter();
                let ids: Vec<&Value> = vswitches
                    .filter(|vswitch| vswitch["RouteTableId"] == resource["RouteTableId"])
                    .map(|vswitch| &vswitch["VSwitchId"])
                    .collect();
                told["VSwitchIds"] = json!({ "VSwitchId": ids });
            }
            "ROUTEENTRY" => {
                told["NextHops"] = json!({ "NextHop": [{ "NextHopId": resource["NextHopId"] }] });
            }
            _ => {}
        }
        told
    }

    fn create(&mut self, kind: &Kind, parameters: &Value) -> Result<Value, Failure> {
        self.made += 1;
        let id = format!("{}-{}", kind.3, self.made);
        let mut resource: Map<String, Value> = parameters.as_object().cloned().unwrap_or_default();
        resource.remove("RegionId");
        if let Some(list) = resource.remove("Tag") {
            resource.insert("tags".to_owned(), tags(&list));
        }
        resource.insert(kind.2.to_owned(), id.clone().into());
        let mut resource = Value::Object(resource);
        if kind.0 != "securitygroup" {
            resource["Status"] = "Available".into();
        }
        let mut answer = json!({ kind.2: id });
        match kind.0 {
            "VPC" => {
                if resource["EnableIpv6"] == "true" {
                    resource["Ipv6CidrBlock"] = "2408:4005:100:1d00::/56".into();
                }
                resource.as_object_mut().map(|resource| resource.remove("EnableIpv6"));
            }
            "VSWITCH" => {
                self.need("VPC", &resource, "VpcId")?;
                if let Some(block) = resource["Ipv6CidrBlock"].as_str() {
                    resource["Ipv6CidrBlock"] = ipv6_block(block).into();
                }
                let overlaps = self.all("VSWITCH").iter().any(|other| {
                    other["VpcId"] == resource["VpcId"] && other["CidrBlock"] == resource["CidrBlock"]
                });
                if overlaps {
                    return Err("InvalidCidrBlock.Overlapped".to_owned());
                }
            }
            "NATGATEWAY" => {
                self.need("VSWITCH", &resource, "VSwitchId")?;
                let table = format!("stb-{id}");
                let vswitch = resource.as_object_mut().and_then(|resource| resource.remove("VSwitchId"));
                resource["NatGatewayPrivateInfo"] = json!({ "VswitchId": vswitch });
                resource["SnatTableIds"] = json!({ "SnatTableId": [table] });
                answer["SnatTableIds"] = resource["SnatTableIds"].clone();
            }
            "EIP" => {
                resource["IpAddress"] = format!("203.0.113.{}", self.made).into();
                answer["EipAddress"] = resource["IpAddress"].clone();
            }
            "SNAT" => {
                self.need("VSWITCH", &resource, "SourceVSwitchId")?;
                resource["NatGatewayId"] = self.gateway_of(&resource)?.into();
                self.bound(&resource)?;
                let twice = self.all("SNAT").iter().any(|other| {
                    other["SnatTableId"] == resource["SnatTableId"]
                        && other["SourceVSwitchId"] == resource["SourceVSwitchId"]
                });
                if twice {
                    return Err("Forbidden.SourceVSwitchId.Duplicated".to_owned());
                }
            }
            "ROUTEENTRY" => self.need("ROUTETABLE", &resource, "RouteTableId")?,
            "securitygroup" => {
                self.need("VPC", &resource, "VpcId")?;
                resource["rules"] = json!([]);
            }
            _ => {}
        }
        self.all_mut(kind.0).push(resource);
        Ok(answer)
    }

    fn gateway_of(&self, entry: &Value) -> Result<String, Failure> {
        let mut gateways = self.all("NATGATEWAY").iter();
        let found = gateways.find(|gateway| gateway["SnatTableIds"]["SnatTableId"][0] == entry["SnatTableId"]);
        found
            .map(|gateway| text(gateway, "NatGatewayId").to_owned())
            .ok_or("InvalidSnatTableId.NotFound".to_owned())
    }

    /// Whether the address of a SNAT entry is associated with its gateway.
    fn bound(&self, entry: &Value) -> Result<(), Failure> {
        let bound = self
            .all("EIP")
            .iter()
            .any(|eip| eip["IpAddress"] == entry["SnatIp"] && eip["InstanceId"] == entry["NatGatewayId"]);
        if bound { Ok(()) } else { Err("EIP_NOT_IN_GATEWAY".to_owned()) }
    }

    fn need(&self, name: &str, resource: &Value, member: &str) -> Result<(), Failure> {
        let key = kind(name).2;
        let there = self.all(name).iter().any(|other| other[key] == resource[member]);
        if there { Ok(()) } else { Err(format!("Invalid{member}.NotFound")) }
    }

    fn delete(&mut self, kind: &Kind, parameters: &Value) -> Result<Value, Failure> {
        let id = text(parameters, kind.2).to_owned();
        if self.all(kind.0).iter().all(|resource| text(resource, kind.2) != id) {
            return Err(format!("Invalid{}.NotFound", kind.2));
        }
        let refers = |name: &str, member: &str| self.all(name).iter().any(|other| text(other, member) == id);
        let depends = match kind.0 {
            "VPC" => {
                ["VSWITCH", "NATGATEWAY", "securitygroup", "ROUTETABLE"].iter().any(|name| refers(name, "VpcId"))
            }
            "VSWITCH" => {
                let vswitch = self.all("VSWITCH").iter().find(|vswitch| text(vswitch, kind.2) == id);
                let hosts = |gateway: &Value| gateway["NatGatewayPrivateInfo"]["VswitchId"] == id.as_str();
                refers("SNAT", "SourceVSwitchId")
                    || self.all("NATGATEWAY").iter().any(hosts)
                    || vswitch.is_some_and(|vswitch| vswitch.get("RouteTableId").is_some())
            }
            "EIP" => self.all("EIP").iter().any(|eip| text(eip, kind.2) == id && eip.get("InstanceId").is_some()),
            "ROUTETABLE" => refers("ROUTEENTRY", kind.2) || refers("VSWITCH", kind.2),
            "SLB" | "NLB" => {
                let balancer = self.all(kind.0).iter().find(|balancer| text(balancer, kind.2) == id);
                balancer.is_some_and(|balancer| {
                    balancer["DeleteProtection"] == "on" || balancer["DeletionProtectionConfig"]["Enabled"] == true
                })
            }
            _ => false,
        };
        if depends {
            return Err(format!("DependencyViolation: {id}"));
        }
        self.all_mut(kind.0).retain(|resource| text(resource, kind.2) != id);
        if kind.0 == "NATGATEWAY" {
            self.all_mut("SNAT").retain(|entry| text(entry, kind.2) != id);
            for eip in self.all_mut("EIP").iter_mut().filter(|eip| text(eip, "InstanceId") == id) {
                free(eip);
            }
        }
        Ok(json!({}))
    }

    fn other(&mut self, action: &str, parameters: &Value) -> Result<Value, Failure> {
        let id = |key: &str| text(parameters, key).to_owned();
        let missing = || "NotFound".to_owned();
        match action {
            "vpc:ListEnhanhcedNatGatewayAvailableZones" => {
                let zones: Vec<Value> = self.zones.iter().map(|zone| json!({ "ZoneId": zone })).collect();
                return Ok(json!({ "Zones": zones }));
            }
            "resourcemanager:GetRole" if self.has_role => {
                return Ok(json!({ "Role": { "IsServiceLinkedRole": !self.has_other_role } }));
            }
            "resourcemanager:GetRole" => return Err("EntityNotExist.Role".to_owned()),
            "resourcemanager:CreateServiceLinkedRole" => self.has_role = true,
            "sts:GetCallerIdentity" => return Ok(json!({ "AccountId": "1" })),
            "ros:ListStacks" => {
                return Ok(json!({ "Stacks": self.stacks, "TotalCount": self.stacks.len() }));
            }
            "ros:CreateStack" => return Ok(json!({ "StackId": "stack-1" })),
            "ros:GetStack" => {
                let output = json!({ "OutputKey": "ImageId", "OutputValue": "m-encrypted" });
                return Ok(json!({ "Status": "CREATE_COMPLETE", "Outputs": [output] }));
            }
            "ecs:DescribeImages" => {
                let ids: Vec<&str> = text(parameters, "ImageId").split(',').collect();
                let seen = self.images.iter().filter(|image| ids.contains(&image.as_str()));
                let owner = if self.owns_images { "system" } else { "others" };
                let rows: Vec<Value> =
                    seen.map(|image| json!({ "ImageId": image, "ImageOwnerAlias": owner })).collect();
                return Ok(json!({ "Images": { "Image": rows } }));
            }
            "ecs:ModifyImageSharePermission" => self.images.push(id("ImageId")),
            "ecs:DescribeInstances" => {
                let rows: Vec<Value> =
                    self.key_pair_instances.iter().map(|id| json!({ "InstanceId": id })).collect();
                return Ok(json!({ "Instances": { "Instance": rows } }));
            }
            "ecs:DetachKeyPair" => self.key_pair_instances.clear(),
            "vpc:ListTagResources" => {
                let mut rows = Vec::new();
                for resource in self.all(text(parameters, "ResourceType")) {
                    for (key, value) in resource["tags"].as_object().into_iter().flatten() {
                        rows.push(
                            json!({ "ResourceId": resource["NatGatewayId"], "TagKey": key, "TagValue": value }),
                        );
                    }
                }
                return Ok(json!({ "TagResources": { "TagResource": rows } }));
            }
            "ecs:DescribeSecurityGroupAttribute" => {
                let group = self.get_mut("securitygroup", &id("SecurityGroupId"));
                let group = group.ok_or("InvalidSecurityGroupId.NotFound")?;
                return Ok(json!({ "Permissions": { "Permission": group["rules"] } }));
            }
            "ecs:AuthorizeSecurityGroup" => {
                self.made += 1;
                let made = self.made;
                let group = self.get_mut("securitygroup", &id("SecurityGroupId")).ok_or_else(missing)?;
                let rules = parameters["Permissions"].as_array().cloned().unwrap_or_default();
                for (index, mut rule) in rules.into_iter().enumerate() {
                    rule["SecurityGroupRuleId"] = format!("sgr-{made}-{index}").into();
                    rule["Direction"] = "ingress".into();
                    group["rules"].as_array_mut().ok_or_else(missing)?.push(rule);
                }
            }
            "ecs:RevokeSecurityGroup" | "ecs:RevokeSecurityGroupEgress" => {
                let direction = if action.ends_with("Egress") { "egress" } else { "ingress" };
                let group = self.get_mut("securitygroup", &id("SecurityGroupId")).ok_or_else(missing)?;
                let gone = parameters["SecurityGroupRuleId"].as_array().cloned().unwrap_or_default();
                let rules = group["rules"].as_array_mut().ok_or_else(missing)?;
                rules
                    .retain(|rule| rule["Direction"] != direction || !gone.contains(&rule["SecurityGroupRuleId"]));
            }
            "vpc:TagResources" | "ecs:TagResources" | "vpc:UnTagResources" | "ecs:UntagResources" => {
                let id = text(&parameters["ResourceId"], "").to_owned()
                    + parameters["ResourceId"][0].as_str().unwrap_or_default();
                let resource = self.get_mut(text(parameters, "ResourceType"), &id).ok_or_else(missing)?;
                if !resource["tags"].is_object() {
                    resource["tags"] = json!({});
                }
                let tags_of = resource["tags"].as_object_mut().ok_or_else(missing)?;
                tags_of.extend(tags(&parameters["Tag"]).as_object().cloned().unwrap_or_default());
                for key in parameters["TagKey"].as_array().into_iter().flatten() {
                    tags_of.remove(key.as_str().unwrap_or_default());
                }
            }
            "vpc:AssociateEipAddress" => {
                self.need("NATGATEWAY", &json!({ "InstanceId": id("InstanceId") }), "InstanceId")?;
                let eip = self.get_mut("EIP", &id("AllocationId")).ok_or_else(missing)?;
                if eip["Status"] != "Available" {
                    return Err("IncorrectEipStatus".to_owned());
                }
                eip["Status"] = "InUse".into();
                eip["InstanceId"] = id("InstanceId").into();
                eip["InstanceType"] = id("InstanceType").into();
            }
            "vpc:UnassociateEipAddress" => {
                let eip = self.get_mut("EIP", &id("AllocationId")).ok_or_else(missing)?.clone();
                if eip["InstanceId"] != id("InstanceId") {
                    return Err("IncorrectEipStatus".to_owned());
                }
                if self.all("SNAT").iter().any(|entry| entry["SnatIp"] == eip["IpAddress"]) {
                    return Err("InvalidIpStatus.HasBeenUsedBySnatTable".to_owned());
                }
                free(self.get_mut("EIP", &id("AllocationId")).ok_or_else(missing)?);
            }
            "vpc:ModifyEipAddressAttribute" => {
                let eip = self.get_mut("EIP", &id("AllocationId")).ok_or_else(missing)?;
                eip["Bandwidth"] = id("Bandwidth").into();
            }
            "vpc:ModifySnatEntry" => {
                let mut entry = self.get_mut("SNAT", &id("SnatEntryId")).ok_or_else(missing)?.clone();
                entry["SnatIp"] = id("SnatIp").into();
                self.bound(&entry)?;
                *self.get_mut("SNAT", &id("SnatEntryId")).ok_or_else(missing)? = entry;
            }
            "vpc:ModifyVpcAttribute" => {
                let vpc = self.get_mut("VPC", &id("VpcId")).ok_or_else(missing)?;
                vpc["Ipv6CidrBlock"] = "2408:4005:100:1d00::/56".into();
            }
            "vpc:ModifyVSwitchAttribute" => {
                let block = ipv6_block(&id("Ipv6CidrBlock"));
                self.get_mut("VSWITCH", &id("VSwitchId")).ok_or_else(missing)?["Ipv6CidrBlock"] = block.into();
            }
            "vpc:AssociateRouteTable" => {
                let table = id("RouteTableId");
                self.get_mut("VSWITCH", &id("VSwitchId")).ok_or_else(missing)?["RouteTableId"] = table.into();
            }
            "vpc:UnassociateRouteTable" => {
                let vswitch = self.get_mut("VSWITCH", &id("VSwitchId")).ok_or_else(missing)?;
                vswitch.as_object_mut().map(|vswitch| vswitch.remove("RouteTableId"));
            }
            "slb:SetLoadBalancerDeleteProtection" => {
                self.get_mut("SLB", &id("LoadBalancerId")).ok_or_else(missing)?["DeleteProtection"] = "off".into();
            }
            "slb:DescribeVServerGroups" => {
                let balancer = self.get_mut("SLB", &id("LoadBalancerId")).ok_or_else(missing)?;
                return Ok(json!({ "VServerGroups": { "VServerGroup": balancer["groups"] } }));
            }
            "nlb:UpdateLoadBalancerProtection" => {
                let balancer = self.get_mut("NLB", &id("LoadBalancerId")).ok_or_else(missing)?;
                balancer["DeletionProtectionConfig"] = json!({ "Enabled": false });
            }
            _ => return Err(format!("the model has no `{action}`")),
        }
        Ok(json!({}))
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
