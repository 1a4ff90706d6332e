//! Calls that succeed.

use serde_json::{Value, json};
use trellis_runner::call::Parameter;
use trellis_runner::call::cloud::Cloud as _;
use trellis_runner::document::Paging;

use super::support::{REGION, Simulator, call};

#[tokio::test]
async fn every_service_believes_the_signature() {
    let simulator = Simulator::start().await;
    let client = simulator.client();
    for (service, action, member) in [
        ("alidns", "DescribeDomains", "/Domains"),
        ("ecs", "DescribeSecurityGroups", "/SecurityGroups"),
        ("nlb", "ListLoadBalancers", "/TotalCount"),
        ("ram", "ListRoles", "/Roles"),
        ("resourcemanager", "ListRoles", "/Roles"),
        ("ros", "ListStacks", "/TotalCount"),
        ("slb", "DescribeLoadBalancers", "/LoadBalancers"),
        ("sts", "GetCallerIdentity", "/AccountId"),
        ("vpc", "DescribeVpcs", "/Vpcs"),
    ] {
        let response = client.call(service, action, &[]).await;
        assert!(response.pointer(member).is_some(), "{service} {action}: {response}");
    }
}

#[tokio::test]
async fn any_text_arrives_as_it_is() {
    let simulator = Simulator::start().await;
    let client = simulator.client();
    let text = "a b*c~d+e/f'(g)!h&i=j%k 网络 ü";
    let vpc = client.call("vpc", "CreateVpc", &[("CidrBlock", "10.0.0.0/8"), ("Description", text)]).await;
    let id = vpc["VpcId"].as_str().unwrap();
    let vpcs = client.call("vpc", "DescribeVpcs", &[("VpcId", id)]).await;
    assert_eq!(vpcs.pointer("/Vpcs/Vpc/0/Description"), Some(&json!(text)));
}

#[tokio::test]
async fn the_region_of_a_call_goes_before_the_configured_one() {
    let simulator = Simulator::start().await;
    let client = simulator.client();
    for (region, parameters) in [(REGION, vec![]), ("eu-central-1", vec![("RegionId", "eu-central-1")])] {
        let vpc =
            client.call("vpc", "CreateVpc", &[&[("CidrBlock", "10.0.0.0/8")], &parameters[..]].concat()).await;
        let there = client.call("vpc", "DescribeVpcs", &[("RegionId", region)]).await;
        assert_eq!(there.pointer("/Vpcs/Vpc/0/VpcId"), vpc.get("VpcId"), "{region}");
    }
}

#[tokio::test]
async fn lists_and_members_are_sent_as_services_read_them() {
    let simulator = Simulator::start().await;
    let client = simulator.client();
    let tag = |key: &str, value: &str| {
        let member = |name: &str, text: &str| (name.to_owned(), Parameter::from(text));
        Parameter::Object(vec![member("Key", key), member("Value", value)])
    };
    let mut create = call("vpc", "CreateVpc", &[("CidrBlock", "10.0.0.0/8")]);
    let tags = Parameter::List(vec![tag("one", "1"), tag("two", "2")]);
    create.parameters.push(("Tag".to_owned(), tags));
    let vpc = client.send(&create).await.unwrap();
    let vpcs = client.call("vpc", "DescribeVpcs", &[("VpcId", vpc["VpcId"].as_str().unwrap())]).await;
    let tags = vpcs.pointer("/Vpcs/Vpc/0/Tags/Tag").unwrap();
    assert_eq!(tags, &json!([{ "Key": "one", "Value": "1" }, { "Key": "two", "Value": "2" }]));
}

#[tokio::test]
async fn what_is_sent_again_with_a_token_has_its_effect_once() {
    let simulator = Simulator::start().await;
    let client = simulator.client();
    let mut create = call("vpc", "CreateVpc", &[("CidrBlock", "10.0.0.0/8")]);
    create.token = Some("shoot--dev--one vpc none".to_owned());
    let first = client.send(&create).await.unwrap();
    let again = client.send(&create).await.unwrap();
    assert_eq!(first["VpcId"], again["VpcId"]);
    // Another seed, and other arguments, are another call.
    create.token = Some(format!("shoot--dev--one vpc {}", first["VpcId"]));
    assert_ne!(client.send(&create).await.unwrap()["VpcId"], first["VpcId"]);
    let mut other = call("vpc", "CreateVpc", &[("CidrBlock", "172.16.0.0/12")]);
    other.token.clone_from(&create.token);
    assert!(client.send(&other).await.is_ok());
}

/// Creates VPCs and gives their ids, sorted.
async fn vpcs(simulator: &Simulator, count: usize) -> Vec<Value> {
    let client = simulator.client();
    let mut ids = Vec::new();
    for _ in 0..count {
        let vpc = client.call("vpc", "CreateVpc", &[("CidrBlock", "10.0.0.0/8")]).await;
        ids.push(vpc["VpcId"].clone());
    }
    sorted(ids)
}

fn sorted(mut ids: Vec<Value>) -> Vec<Value> {
    ids.sort_by_key(Value::to_string);
    ids
}

fn ids(response: &Value, list: &str, member: &str) -> Vec<Value> {
    let entries = response.pointer(list).and_then(Value::as_array).unwrap();
    sorted(entries.iter().map(|entry| entry[member].clone()).collect())
}

#[tokio::test]
async fn numbered_pages_become_one_list() {
    let simulator = Simulator::start().await;
    let made = vpcs(&simulator, 5).await;
    let client = simulator.client();
    let pages = call("vpc", "DescribeVpcs", &[("PageSize", "2")]);
    let response = client.query(&pages, Paging::PageNumber).await.unwrap();
    assert_eq!(ids(&response, "/Vpcs/Vpc", "VpcId"), made);
    assert_eq!(response["TotalCount"], 5);
    assert_eq!(client.0.sent(), 3, "each page is a request");
    // As many as fit are one page.
    let one = call("vpc", "DescribeVpcs", &[("PageSize", "5")]);
    client.query(&one, Paging::PageNumber).await.unwrap();
    assert_eq!(client.0.sent(), 4);
}

#[tokio::test]
async fn pages_that_follow_tokens_become_one_list() {
    let simulator = Simulator::start().await;
    let client = simulator.client();
    let vpc = client.call("vpc", "CreateVpc", &[("CidrBlock", "10.0.0.0/8")]).await["VpcId"].clone();
    let vpc = vpc.as_str().unwrap();
    simulator.cloud().step(std::time::Duration::from_mins(1)).unwrap();
    let mut made = Vec::new();
    for _ in 0..5 {
        let group = client.call("ecs", "CreateSecurityGroup", &[("VpcId", vpc)]).await;
        made.push(group["SecurityGroupId"].clone());
    }
    let before = client.0.sent();
    let pages = call("ecs", "DescribeSecurityGroups", &[("VpcId", vpc), ("MaxResults", "2")]);
    let response = client.query(&pages, Paging::NextToken).await.unwrap();
    assert_eq!(ids(&response, "/SecurityGroups/SecurityGroup", "SecurityGroupId"), sorted(made));
    assert_eq!(response.get("NextToken"), None, "there are no further pages");
    assert_eq!(client.0.sent() - before, 3);
}

#[tokio::test]
async fn connections_are_kept() {
    let simulator = Simulator::start().await;
    let client = simulator.client();
    for _ in 0..5 {
        client.call("vpc", "DescribeVpcs", &[]).await;
    }
    let peers = simulator.peers();
    assert_eq!(peers.len(), 1, "{peers:?}");
}
