mod choices;
mod cloud;
mod form;
mod ownership;

use serde_json::{Value, json};

use cloud::{Cloud, actions, findings, request, state_of};

const GROUP: &str = "sg-bastion";
const INSTANCE: &str = "i-bastion";

#[test]
fn a_new_bastion_has_its_rules_before_it_has_an_instance() {
    let (answer, asked) = Cloud::new().plan(&request("reconcile", &json!({})));
    assert_eq!(
        asked,
        [
            "DescribeSecurityGroups SecurityGroupName=shoot--dev--foo-tunnel-bastion-3fe4b-sg",
            "DescribeInstances InstanceName=shoot--dev--foo-tunnel-bastion-3fe4b",
            "DescribeInstances DryRun=true",
            "DescribeVpcs VpcId=vpc-1",
            "DescribeVSwitches VSwitchId=vsw-1",
            "DescribeImages ImageId=m-1",
            "DescribeSecurityGroups SecurityGroupId=sg-nodes",
            "DescribeAvailableResource Cores=1",
            "DescribeAvailableResource Cores=2",
            "DescribeInstanceTypes InstanceTypes=ecs.small,ecs.arm,ecs.large",
        ]
    );
    assert_eq!(
        actions(&answer),
        ["CreateSecurityGroup", "AuthorizeSecurityGroup", "AuthorizeSecurityGroupEgress", "RunInstances"]
    );
    let steps = answer["plan"]["steps"].as_array().unwrap();
    let permissions = |step: usize| steps[step]["call"]["parameters"]["Permissions"].clone();
    assert_eq!(
        permissions(1),
        json!([
            { "Description": "SSH access for Bastion", "IpProtocol": "TCP", "Policy": "Accept", "PortRange": "22/22",
              "Priority": "1", "SourceCidrIp": "203.0.113.0/24" },
            { "Description": "SSH access for Bastion", "IpProtocol": "TCP", "Ipv6SourceCidrIp": "2001:db8::/32",
              "Policy": "Accept", "PortRange": "22/22", "Priority": "1" },
        ])
    );
    assert_eq!(
        permissions(2),
        json!([
            { "Description": "Allow Bastion egress to Shoot workers", "DestGroupId": "sg-nodes", "IpProtocol": "TCP",
              "Policy": "Accept", "PortRange": "22/22", "Priority": "1" },
            { "Description": "Bastion egress deny", "DestCidrIp": "0.0.0.0/0", "IpProtocol": "TCP", "Policy": "Drop",
              "PortRange": "1/65535", "Priority": "100" },
        ])
    );
    let run = &steps[3];
    assert_eq!(
        run["call"]["parameters"],
        json!({
            "ImageId": "m-1", "InstanceName": "shoot--dev--foo-tunnel-bastion-3fe4b", "InstanceType": "ecs.small",
            "InternetMaxBandwidthOut": "5", "RegionId": "cn-shanghai", "SecurityGroupId": { "ref": "SecurityGroup" },
            "Tag": [{ "Key": "bastion.trellis.gardener.cloud/uid", "Value": "u-1" }],
            "UserData": "IyEvYmluL2Jhc2gK", "VSwitchId": "vsw-1", "ZoneId": "cn-shanghai-b",
        })
    );
    assert_eq!(run["after"], json!(["securitygroup/authorize-egress"]));
    assert!(run["call"]["token"].as_str().unwrap().starts_with("Bastion/shoot--dev--foo/tunnel/u-1/"), "{run}");
}

#[test]
fn a_bastion_that_is_as_it_should_be_costs_three_questions_and_no_step() {
    let mut cloud = Cloud::new();
    cloud.make(GROUP, INSTANCE);
    let (answer, asked) = cloud.plan(&request("reconcile", &json!({ "state": state_of(GROUP, INSTANCE) })));
    assert_eq!(asked.len(), 3, "{asked:?}");
    assert_eq!(answer["plan"]["changes"], json!([]), "{answer}");
    assert_eq!(answer["plan"]["state"]["PublicIP"], "198.51.100.7");
    let status = cloud::status("reconcile", &answer["plan"]["state"]);
    assert_eq!(status["ingress"], json!({ "ip": "198.51.100.7" }));
    assert!(status["state"].to_string().contains("BastionState"), "{status}");
    let deleting = cloud::status("delete", &answer["plan"]["state"]);
    assert_eq!(deleting.get("ingress"), None);
}

#[test]
fn an_instance_without_a_public_address_gets_one() {
    let mut cloud = Cloud::new();
    cloud.make(GROUP, INSTANCE);
    cloud.instances[0]["PublicIpAddress"] = json!({ "IpAddress": [] });
    let mut state = state_of(GROUP, INSTANCE);
    state["data"]["PublicIP"] = json!("198.51.100.7");
    let (answer, _) = cloud.plan(&request("reconcile", &json!({ "state": state })));
    assert_eq!(actions(&answer), ["AllocatePublicIpAddress"]);
    assert_eq!(answer["plan"]["state"].get("PublicIP"), None);
}

#[test]
fn other_ranges_are_let_in_before_the_old_ones_are_kept_out() {
    let mut cloud = Cloud::new();
    cloud.make(GROUP, INSTANCE);
    let mut request = request("reconcile", &json!({ "state": state_of(GROUP, INSTANCE) }));
    request["request"]["bastion"]["spec"]["ingress"] = json!([{ "ipBlock": { "cidr": "192.0.2.9/31" } }]);
    let (answer, _) = cloud.plan(&request);
    assert_eq!(actions(&answer), ["AuthorizeSecurityGroup", "RevokeSecurityGroup"]);
    let parameters = |step: usize| answer["plan"]["steps"][step]["call"]["parameters"].clone();
    assert_eq!(parameters(0)["Permissions"][0]["SourceCidrIp"], "192.0.2.8/31");
    assert_eq!(parameters(1)["SecurityGroupRuleId"], json!(["sgr-0", "sgr-1"]));
    assert_eq!(answer["plan"]["changes"][0]["action"], "update");
}

#[test]
fn the_rule_of_the_existing_extension_that_denies_nothing_is_replaced() {
    let mut cloud = Cloud::new();
    cloud.make(GROUP, INSTANCE);
    cloud.rules[3]["Policy"] = json!("Accept");
    let (answer, _) = cloud.plan(&request("reconcile", &json!({ "state": state_of(GROUP, INSTANCE) })));
    assert_eq!(actions(&answer), ["AuthorizeSecurityGroupEgress", "RevokeSecurityGroupEgress"]);
}

#[test]
fn a_deletion_needs_no_network_and_removes_the_instance_first() {
    let mut cloud = Cloud::new();
    cloud.make(GROUP, INSTANCE);
    let mut request = request("delete", &json!({ "state": state_of(GROUP, INSTANCE) }));
    request["request"].as_object_mut().unwrap().remove("infrastructureStatus");
    let (answer, asked) = cloud.plan(&request);
    assert_eq!(asked.len(), 2, "{asked:?}");
    assert_eq!(actions(&answer), ["DeleteInstance", "DeleteSecurityGroup"]);
    let steps = &answer["plan"]["steps"];
    assert_eq!(steps[0]["call"]["parameters"]["Force"], "true");
    assert_eq!(steps[1]["after"], json!(["instance/delete"]));
    cloud.instances.clear();
    cloud.groups.clear();
    request["request"]["bastion"]["status"] = json!({ "state": null });
    let (answer, _) = cloud.plan(&request);
    assert_eq!(actions(&answer), Vec::<String>::new());
}

#[test]
fn a_stopped_instance_is_named_and_left_alone() {
    let mut cloud = Cloud::new();
    cloud.make(GROUP, INSTANCE);
    for (status, rules) in [("Stopped", vec!["ALI-BAST-014"]), ("Starting", vec![])] {
        cloud.instances[0]["Status"] = json!(status);
        let (answer, _) = cloud.plan(&request("reconcile", &json!({ "state": state_of(GROUP, INSTANCE) })));
        assert_eq!(findings(&answer), rules, "{status}");
    }
}

#[test]
fn a_part_of_the_network_that_is_missing_forbids_a_plan() {
    type Break = fn(&mut Cloud);
    let cases: [(Break, &str, &str); 6] = [
        (
            |cloud| cloud.missing.push("DescribeVpcs"),
            "ALI-BAST-003",
            "could not get vpc vpc-1 from alicloud provider: it does not exist",
        ),
        (
            |cloud| cloud.missing.push("DescribeVSwitches"),
            "ALI-BAST-004",
            "could not get vswitches vsw-1 from alicloud provider: it does not exist",
        ),
        (
            |cloud| cloud.zone = "",
            "ALI-BAST-004",
            "could not get vswitches vsw-1 from alicloud provider: it has no zone",
        ),
        (
            |cloud| cloud.missing.push("DescribeImages"),
            "ALI-BAST-005",
            "could not get machineImages m-1 from alicloud provider: it does not exist",
        ),
        (
            |cloud| cloud.missing.push("DescribeSecurityGroups"),
            "ALI-BAST-006",
            "could not get shoot security group sg-nodes from alicloud provider: it does not exist",
        ),
        (
            |cloud| cloud.missing.extend(["DescribeSecurityGroups", "DescribeVpcs"]),
            "ALI-BAST-003",
            "could not get vpc vpc-1 from alicloud provider: it does not exist",
        ),
    ];
    for (broken, rule, detail) in cases {
        let mut cloud = Cloud::new();
        broken(&mut cloud);
        let (answer, _) = cloud.plan(&request("reconcile", &json!({})));
        assert_eq!(findings(&answer), [rule]);
        assert_eq!(answer["findings"][0]["detail"], detail);
        assert_eq!(answer["findings"][0]["type"], "InternalError", "{answer}");
        assert_eq!(answer.get("codes").unwrap_or(&json!([])), &json!([]));
    }
}

#[test]
fn a_preview_asks_nobody() {
    let mut preview = request("reconcile", &json!({}));
    preview["baseline"] = json!("empty");
    let (answer, asked) = Cloud::new().plan(&preview);
    assert_eq!(asked, Vec::<String>::new());
    assert_eq!(actions(&answer).len(), 4);
    let mut older = preview["request"].clone();
    older["bastion"]["spec"]["ingress"] = json!([{ "ipBlock": { "cidr": "192.0.2.0/24" } }]);
    preview["baseline"] = older;
    let (answer, _) = Cloud::new().plan(&preview);
    assert_eq!(actions(&answer), ["AuthorizeSecurityGroup", "RevokeSecurityGroup"]);
    let before: &Value = &answer["plan"]["changes"][0]["before"]["rules"];
    assert!(before.as_str().unwrap().contains("192.0.2.0/24"), "{before}");
}
