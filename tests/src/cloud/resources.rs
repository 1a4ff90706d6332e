//! What is made, and what goes.

use serde_json::{Map, Value, json};

use super::{Cloud, Failure, Kind, free, ipv6_block, kind, tags, text};

impl Cloud {
    pub(super) fn create(&mut self, kind: &Kind, parameters: &Value) -> Result<Value, Failure> {
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
    pub(super) fn bound(&self, entry: &Value) -> Result<(), Failure> {
        let bound = self
            .all("EIP")
            .iter()
            .any(|eip| eip["IpAddress"] == entry["SnatIp"] && eip["InstanceId"] == entry["NatGatewayId"]);
        if bound { Ok(()) } else { Err("EIP_NOT_IN_GATEWAY".to_owned()) }
    }

    pub(super) fn need(&self, name: &str, resource: &Value, member: &str) -> Result<(), Failure> {
        let key = kind(name).2;
        let there = self.all(name).iter().any(|other| other[key] == resource[member]);
        if there { Ok(()) } else { Err(format!("Invalid{member}.NotFound")) }
    }

    pub(super) fn delete(&mut self, kind: &Kind, parameters: &Value) -> Result<Value, Failure> {
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
}
