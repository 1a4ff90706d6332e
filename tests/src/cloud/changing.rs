//! What is shown and changed otherwise.

use serde_json::{Value, json};

use super::{Cloud, Failure, Oddity, free, ipv6_block, tags, text};

impl Cloud {
    /// Answers a call that neither describes, makes nor removes one of the resources.
    pub(super) fn other(&mut self, action: &str, parameters: &Value) -> Result<Value, Failure> {
        for answer in [Self::look_up, Self::mark, Self::change] {
            if let Some(answer) = answer(self, action, parameters)? {
                return Ok(answer);
            }
        }
        Err(format!("the model has no `{action}`"))
    }

    /// What is asked about accounts, images, tags and rules.
    fn look_up(&mut self, action: &str, parameters: &Value) -> Result<Option<Value>, Failure> {
        let id = |key: &str| text(parameters, key).to_owned();
        let missing = || "NotFound".to_owned();
        match action {
            "vpc:ListEnhanhcedNatGatewayAvailableZones" => {
                let zones: Vec<Value> = self.zones.iter().map(|zone| json!({ "ZoneId": zone })).collect();
                Ok(Some(json!({ "Zones": zones })))
            }
            "resourcemanager:GetRole" if !self.is(Oddity::NoRole) => {
                Ok(Some(json!({ "Role": { "IsServiceLinkedRole": !self.is(Oddity::OtherRole) } })))
            }
            "resourcemanager:GetRole" => Err("EntityNotExist.Role".to_owned()),
            "sts:GetCallerIdentity" => Ok(Some(json!({ "AccountId": "1" }))),
            "ros:ListStacks" => Ok(Some(json!({ "Stacks": self.stacks, "TotalCount": self.stacks.len() }))),
            "ros:CreateStack" => Ok(Some(json!({ "StackId": "stack-1" }))),
            "ros:GetStack" => {
                let output = json!({ "OutputKey": "ImageId", "OutputValue": "m-encrypted" });
                Ok(Some(json!({ "Status": "CREATE_COMPLETE", "Outputs": [output] })))
            }
            "ecs:DescribeImages" => {
                let ids: Vec<&str> = text(parameters, "ImageId").split(',').collect();
                let seen = self.images.iter().filter(|image| ids.contains(&image.as_str()));
                let owner = if self.is(Oddity::OwnsImages) { "system" } else { "others" };
                let rows: Vec<Value> =
                    seen.map(|image| json!({ "ImageId": image, "ImageOwnerAlias": owner })).collect();
                Ok(Some(json!({ "Images": { "Image": rows } })))
            }
            "ecs:DescribeInstances" => {
                let key_pair = text(parameters, "KeyPairName");
                let instance = |id: &String| json!({ "InstanceId": id, "KeyPairName": key_pair });
                let rows: Vec<Value> = self.key_pair_instances.iter().map(instance).collect();
                Ok(Some(json!({ "Instances": { "Instance": rows } })))
            }
            "vpc:ListTagResources" => {
                let mut rows = Vec::new();
                for resource in self.all(text(parameters, "ResourceType")) {
                    for (key, value) in resource["tags"].as_object().into_iter().flatten() {
                        rows.push(
                            json!({ "ResourceId": resource["NatGatewayId"], "TagKey": key, "TagValue": value }),
                        );
                    }
                }
                Ok(Some(json!({ "TagResources": { "TagResource": rows } })))
            }
            "ecs:DescribeSecurityGroupAttribute" => {
                let group = self.get_mut("securitygroup", &id("SecurityGroupId"));
                let group = group.ok_or("InvalidSecurityGroupId.NotFound")?;
                Ok(Some(json!({ "Permissions": { "Permission": group["rules"] } })))
            }
            "slb:DescribeVServerGroups" => {
                let balancer = self.get_mut("SLB", &id("LoadBalancerId")).ok_or_else(missing)?;
                Ok(Some(json!({ "VServerGroups": { "VServerGroup": balancer["groups"] } })))
            }
            _ => Ok(None),
        }
    }

    /// Changes of tags and of rules of security groups.
    fn mark(&mut self, action: &str, parameters: &Value) -> Result<Option<Value>, Failure> {
        let id = |key: &str| text(parameters, key).to_owned();
        let missing = || "NotFound".to_owned();
        match action {
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
            _ => return Ok(None),
        }
        Ok(Some(json!({})))
    }

    /// Changes of what is bound to what, and of single attributes.
    fn change(&mut self, action: &str, parameters: &Value) -> Result<Option<Value>, Failure> {
        let id = |key: &str| text(parameters, key).to_owned();
        let missing = || "NotFound".to_owned();
        match action {
            "resourcemanager:CreateServiceLinkedRole" => self.oddities.retain(|oddity| *oddity != Oddity::NoRole),
            "ecs:ModifyImageSharePermission" => self.images.push(id("ImageId")),
            "ecs:DetachKeyPair" => {
                self.key_pair_instances.clear();
                return Ok(Some(json!({ "FailCount": "0" })));
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
                let leads = |entry: &Value| {
                    text(entry, "SnatIp").split(',').any(|address| address.trim() == text(&eip, "IpAddress"))
                };
                if self.all("SNAT").iter().any(leads) {
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
            "nlb:UpdateLoadBalancerProtection" => {
                let balancer = self.get_mut("NLB", &id("LoadBalancerId")).ok_or_else(missing)?;
                balancer["DeletionProtectionConfig"] = json!({ "Enabled": false });
            }
            _ => return Ok(None),
        }
        Ok(Some(json!({})))
    }
}
