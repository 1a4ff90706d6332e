//! Groups of servers behind load balancers: `CreateVServerGroup`, `DescribeVServerGroups`, `DeleteVServerGroup`.

use serde_json::{Value, json};

use super::{NAME, NOT_FOUND};
use crate::action::{
    ANY, Action, Call, CloudError, ErrorCode, Shape, TAG_FILTER, TAGS, TEXT, common, field, items, optional,
    record, required,
};
use crate::resource::Tags;
use crate::world::World;
use crate::world::slb::{Backend, ServerGroup};

/// The actions of this file.
pub const ACTIONS: &[Action] = &[CREATE, DESCRIBE, DELETE];

/// Most servers of one call.
const MOST: usize = 20;

const GROUP_NOT_FOUND: ErrorCode =
    ErrorCode::new(400, "InvalidParameter", "The specified VServerGroupId does not exist.");
const TYPE: ErrorCode = ErrorCode::new(400, "BackendServer.InvalidType", "The specified Type is invalid.");

impl Backend {
    fn row(&self) -> Value {
        json!({
            "ServerId": self.server_id,
            "Port": self.port.number(),
            "Weight": self.weight.number(),
            "Type": self.kind,
            "Description": self.description,
        })
    }
}

const CREATE: Action = Action::write("CreateVServerGroup", create)
    .parameters(&[
        required("RegionId", TEXT),
        required("LoadBalancerId", TEXT),
        optional("VServerGroupName", NAME),
        optional("BackendServers", ANY),
        TAGS,
    ])
    .answer(&[
        field("VServerGroupId", Shape::Text),
        field("BackendServers", record(&[field("BackendServer", items(&BACKEND))])),
    ])
    .errors(&[&NOT_FOUND, &TYPE]);

const BACKEND: Shape = record(&[
    field("ServerId", Shape::Text),
    field("Port", Shape::Integer),
    field("Weight", Shape::Integer),
    field("Type", Shape::Text),
    field("Description", Shape::Text),
]);

fn create(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let balancer = call.text("LoadBalancerId");
    world.region(call).slb.load_balancers.get(balancer).ok_or(&NOT_FOUND)?;
    let backends = backends(call)?;
    let id = world.id("rsp-");
    let rows: Vec<Value> = backends.iter().map(Backend::row).collect();
    world.region_mut(call).slb.server_groups.insert(ServerGroup {
        v_server_group_id: id.clone(),
        v_server_group_name: call.given("VServerGroupName").unwrap_or(&id).to_owned(),
        load_balancer_id: balancer.to_owned(),
        backends,
        create_time: call.time(),
        tags: Tags::read(call),
    });
    Ok(json!({ "VServerGroupId": id, "BackendServers": { "BackendServer": rows } }))
}

/// Reads the parameter `BackendServers`, a JSON array.
fn backends(call: &Call<'_>) -> Result<Vec<Backend>, CloudError> {
    let Some(text) = call.given("BackendServers") else { return Ok(Vec::new()) };
    let refuse = |why: String| {
        common::INVALID_PARAMETER
            .because(format!("The specified parameter \"BackendServers\" is not valid: {why}"))
    };
    let backends: Vec<Backend> = serde_json::from_str(text).map_err(|error| refuse(error.to_string()))?;
    if backends.len() > MOST {
        return Err(refuse(format!("at most {MOST} servers can be added at once.")));
    }
    for backend in &backends {
        if !["ecs", "eni", "eci"].contains(&backend.kind.as_str()) {
            return Err((&TYPE).into());
        }
        if !backend.port.number().is_some_and(|port| (1..=65535).contains(&port)) {
            return Err(refuse("Port must be from 1 to 65535.".to_owned()));
        }
        if !backend.weight.number().is_some_and(|weight| (0..=100).contains(&weight)) {
            return Err(refuse("Weight must be from 0 to 100.".to_owned()));
        }
    }
    Ok(backends)
}

const DESCRIBE: Action = Action::read("DescribeVServerGroups", describe)
    .parameters(&[
        required("RegionId", TEXT),
        required("LoadBalancerId", TEXT),
        optional("Description", TEXT),
        TAG_FILTER,
    ])
    .left_out(&["IncludeListener", "IncludeRule"])
    .answer(&[field("VServerGroups", record(&[field("VServerGroup", items(&GROUP))]))])
    .errors(&[&NOT_FOUND]);

const GROUP: Shape = record(&[
    field("VServerGroupId", Shape::Text),
    field("VServerGroupName", Shape::Text),
    field("CreateTime", Shape::Text),
    field("ServerCount", Shape::Integer),
    field("Tags", super::TAGS_SHAPE),
]);

fn describe(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let slb = &world.region(call).slb;
    let balancer = call.text("LoadBalancerId");
    slb.load_balancers.get(balancer).ok_or(&NOT_FOUND)?;
    let groups = slb.server_groups.iter().filter(|group| {
        group.load_balancer_id == balancer
            && call.given("Description").is_none_or(|name| name == group.v_server_group_name)
            && group.tags.matches(call)
    });
    let rows: Vec<Value> = groups
        .map(|group| {
            json!({
                "VServerGroupId": group.v_server_group_id,
                "VServerGroupName": group.v_server_group_name,
                "CreateTime": group.create_time,
                "ServerCount": group.backends.len(),
                "Tags": group.tags.listed_long(),
            })
        })
        .collect();
    Ok(json!({ "VServerGroups": { "VServerGroup": rows } }))
}

const DELETE: Action = Action::write("DeleteVServerGroup", delete)
    .parameters(&[required("RegionId", TEXT), required("VServerGroupId", TEXT)])
    .errors(&[&GROUP_NOT_FOUND]);

fn delete(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let groups = &mut world.region_mut(call).slb.server_groups;
    groups.remove(call.text("VServerGroupId")).ok_or(&GROUP_NOT_FOUND)?;
    Ok(json!({}))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::TestCloud;

    fn balancer(cloud: &TestCloud) -> String {
        cloud.text("slb", "CreateLoadBalancer", &[], "LoadBalancerId")
    }

    #[test]
    fn a_group_is_found_by_its_load_balancer_and_goes_with_it() {
        let cloud = TestCloud::new();
        let (one, two) = (balancer(&cloud), balancer(&cloud));
        let name = "k8s/80/nginx/default/shoot--foo--bar";
        let servers = r#"[{"ServerId":"i-1","Port":"80"},{"ServerId":"eni-1","Port":81,"Weight":5,"Type":"eni"}]"#;
        let answer = cloud.call(
            "slb",
            "CreateVServerGroup",
            &[
                ("LoadBalancerId", &one),
                ("VServerGroupName", name),
                ("BackendServers", servers),
                ("Tag.1.Key", "k"),
            ],
        );
        assert_eq!(answer.pointer("/BackendServers/BackendServer/0/Weight"), Some(&json!(100)));
        let id = answer["VServerGroupId"].as_str().unwrap();
        let groups = |balancer: &str, more: (&str, &str)| {
            cloud.call("slb", "DescribeVServerGroups", &[("LoadBalancerId", balancer), more])["VServerGroups"]
                ["VServerGroup"]
                .clone()
        };
        let none = ("Description", "");
        let found = groups(&one, none);
        assert_eq!(found[0]["VServerGroupName"], name);
        assert_eq!(found[0]["ServerCount"], 2);
        assert_eq!(found[0]["Tags"], json!({ "Tag": [{ "TagKey": "k", "TagValue": "" }] }));
        assert_eq!(groups(&one, ("Tag.1.Key", "other")), json!([]));
        assert_eq!(groups(&one, ("Description", "other")), json!([]));
        assert_eq!(groups(&two, none), json!([]));

        cloud.call("slb", "DeleteVServerGroup", &[("VServerGroupId", id)]);
        assert_eq!(groups(&one, none), json!([]));
        let id = cloud.text("slb", "CreateVServerGroup", &[("LoadBalancerId", &one)], "VServerGroupId");
        cloud.call("slb", "DeleteLoadBalancer", &[("LoadBalancerId", &one)]);
        assert_eq!(cloud.refused("slb", "DeleteVServerGroup", &[("VServerGroupId", &id)]), "InvalidParameter");
    }

    #[test]
    fn what_is_wrong_with_servers_is_said() {
        let cloud = TestCloud::new();
        let id = balancer(&cloud);
        let many = format!("[{}]", vec![r#"{"ServerId":"i-1","Port":80}"#; 21].join(","));
        for (servers, code) in [
            ("no", "InvalidParameter"),
            ("{}", "InvalidParameter"),
            (r#"[{"Port":80}]"#, "InvalidParameter"),
            (r#"[{"ServerId":"i-1","Port":0}]"#, "InvalidParameter"),
            (r#"[{"ServerId":"i-1","Port":"a"}]"#, "InvalidParameter"),
            (r#"[{"ServerId":"i-1","Port":80,"Weight":101}]"#, "InvalidParameter"),
            (r#"[{"ServerId":"i-1","Port":80,"Colour":"red"}]"#, "InvalidParameter"),
            (r#"[{"ServerId":"i-1","Port":80,"Type":"cat"}]"#, "BackendServer.InvalidType"),
            (&many, "InvalidParameter"),
        ] {
            let parameters = [("LoadBalancerId", id.as_str()), ("BackendServers", servers)];
            assert_eq!(cloud.refused("slb", "CreateVServerGroup", &parameters), code, "{servers}");
        }
        for action in ["CreateVServerGroup", "DescribeVServerGroups"] {
            assert_eq!(
                cloud.refused("slb", action, &[("LoadBalancerId", "lb-x")]),
                "InvalidLoadBalancerId.NotFound"
            );
        }
    }
}
