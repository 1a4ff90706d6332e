//! The recorded state in the form of the existing extension, `FlowState` (`alicloud-policy` 1.9 and 5.5).

use super::names::VPC;
use super::{pool_images, terraform};
use crate::document::Value;
use crate::gardener::planning::state_form::StateKind;
use crate::policy::{PlanSubject, RequestError, State};
use crate::provider::alicloud::api::API_VERSION;

/// The kind of the document that holds the state.
pub const KIND: StateKind = StateKind {
    kind: "FlowState",
    group: "alicloud.provider.extensions.gardener.cloud",
    api_version: API_VERSION,
};

/// The state that a request is about, with the id of a configured VPC.
pub fn read(request: &PlanSubject<'_>, given: Option<&State>) -> Result<State, RequestError> {
    let configured =
        request.config().and_then(|config| config.pointer("/networks/vpc/id")).and_then(Value::as_str);
    KIND.recorded(request, given, terraform::migrate, &[(VPC, configured)])
}

/// The state without the ids of encrypted images. Where no account is recorded, nothing shows whose the images
/// are; their stacks lead to them again.
pub fn without_images(state: State) -> State {
    state.into_iter().filter(|(key, _)| !key.starts_with(pool_images::RECORDED)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::parse;
    use crate::gardener::planning::state_form::POINTER;
    use crate::policy::StatusRequest;

    /// What is read from a `status.state`, for a Shoot with these `networks`.
    fn read_of(recorded: &str, networks: &str) -> Result<Vec<(String, String)>, String> {
        let request = format!(
            r#"{{"request":{{"operation":"reconcile","infrastructure":{{
                "spec":{{"providerConfig":{{"networks":{networks}}}}},"status":{{"state":{recorded}}}}}}}}}"#
        );
        let document = parse(&request).unwrap();
        let request = StatusRequest::read(&document).unwrap();
        match read(&request.request, None) {
            Ok(state) => Ok(state.into_iter().collect()),
            Err(RequestError::Malformed { message, pointer }) => {
                assert_eq!(pointer.as_deref(), Some(POINTER));
                Err(message)
            }
            Err(other) => panic!("{other}"),
        }
    }

    fn entries(entries: &[(&str, &str)]) -> Vec<(String, String)> {
        entries.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect()
    }

    const FLOW: &str = r#""kind":"FlowState","apiVersion":"alicloud.provider.extensions.gardener.cloud/v1alpha1""#;

    #[test]
    fn a_flow_state_is_read_with_what_was_deleted_and_without_what_is_empty() {
        let data = r#"{"VPC":"vpc-1","NatGateway":"<deleted>","RouteTable":"","X/y":"z","IPV6Gateway":null}"#;
        let expected = entries(&[("NatGateway", "<deleted>"), ("VPC", "vpc-1"), ("X/y", "z")]);
        assert_eq!(read_of(&format!("{{{FLOW},\"data\":{data}}}"), "{}"), Ok(expected));
        for nothing in ["null".to_owned(), format!("{{{FLOW}}}"), format!("{{{FLOW},\"data\":null}}")] {
            assert_eq!(read_of(&nothing, "{}"), Ok(Vec::new()), "{nothing}");
        }
    }

    #[test]
    fn what_is_no_state_is_refused_with_what_is_wrong() {
        for (recorded, words) in [
            (
                r#"{"kind":"FlowState","apiVersion":"aws.provider.extensions.gardener.cloud/v1alpha1"}"#,
                "unknown kind or group: kind=FlowState, apiVersion=aws.",
            ),
            (
                r#"{"kind":"Other","apiVersion":"alicloud.provider.extensions.gardener.cloud/v1alpha1"}"#,
                "unknown kind or group: kind=Other,",
            ),
            (
                r#"{"apiVersion":"alicloud.provider.extensions.gardener.cloud/v1alpha1"}"#,
                "unknown kind or group: kind=,",
            ),
            (r#"{"kind":"FlowState"}"#, "unknown kind or group: kind=FlowState, apiVersion=;"),
            (
                r#"{"kind":"FlowState","apiVersion":"alicloud.provider.extensions.gardener.cloud/v1"}"#,
                "unsupported APIVersion alicloud.provider.extensions.gardener.cloud/v1 for kind FlowState",
            ),
            (&format!("{{{FLOW},\"data\":[]}}"), "must be an object, not a list"),
            (&format!("{{{FLOW},\"data\":{{\"VPC\":1}}}}"), "`VPC` is a number"),
            (r#"{"data":"x","encoding":"rot13"}"#, "unknown encoding of Terraformer raw state: rot13"),
            (r#"{"data":"x"}"#, "unknown encoding of Terraformer raw state: "),
            (r#"{"data":"!","encoding":"base64"}"#, "could not decode terraform raw state data"),
            (r#"{"data":"/w==","encoding":"base64"}"#, "could not decode terraform raw state data"),
            (r#"{"data":"{","encoding":"none"}"#, "could not decode terraform state: not valid JSON"),
        ] {
            let message = read_of(recorded, "{}").unwrap_err();
            assert!(message.contains(words), "{recorded}: {message}");
        }
    }

    #[test]
    fn a_given_state_counts_more_than_the_recorded_one() {
        let document = parse(
            r#"{"request":{"operation":"reconcile","infrastructure":{"status":{"state":{"kind":"Odd"}}}},"state":{"VPC":"vpc-2","NatGateway":""}}"#,
        )
        .unwrap();
        let request = StatusRequest::read(&document).unwrap();
        let state = read(&request.request, request.state.as_ref()).unwrap();
        assert_eq!(state, State::from_iter([("VPC", "vpc-2".to_owned())]));
    }

    #[test]
    fn a_configured_vpc_is_in_the_state() {
        let networks = r#"{"vpc":{"id":"vpc-mine"}}"#;
        let configured = entries(&[("VPC", "vpc-mine")]);
        for recorded in ["null", &format!("{{{FLOW},\"data\":{{\"VPC\":\"<deleted>\"}}}}")] {
            assert_eq!(read_of(recorded, networks).as_ref(), Ok(&configured), "{recorded}");
        }
    }

    #[test]
    fn a_written_state_is_read_again_as_it_was() {
        let data = r#"{"NatGateway":"<deleted>","VPC":"vpc-\"1\"","Zones/a/Suffix":"z0"}"#;
        let written = format!("{{{FLOW},\"data\":{data}}}");
        let state = State::from_iter(read_of(&written, "{}").unwrap());
        assert_eq!(KIND.write(&state).as_str(), written);
    }

    mod any_state {
        use super::*;
        use proptest::prelude::*;

        proptest! {
            #[test]
            fn what_is_written_is_read_again(entries in prop::collection::btree_map("\\PC{0,12}", "\\PC{1,12}", 0..8)) {
                let state: State = entries.into_iter().collect();
                let read = read_of(KIND.write(&state).as_str(), "{}").map(State::from_iter);
                prop_assert_eq!(read, Ok(state));
            }
        }
    }

    mod terraform_states {
        use super::*;

        const ZONES: &str = r#"{"zones":[{"name":"a"},{"name":"b"},{"name":"a"},{"name":"c"}]}"#;

        fn resource(kind: &str, name: &str, ids: &[&str]) -> String {
            let instances: Vec<String> =
                ids.iter().map(|id| format!(r#"{{"attributes":{{"id":"{id}"}}}}"#)).collect();
            format!(
                r#"{{"mode":"managed","type":"{kind}","name":"{name}","instances":[{}]}}"#,
                instances.join(",")
            )
        }

        fn raw(terraform: &str, encoding: &str) -> String {
            let data = match encoding {
                "base64" => {
                    use base64::Engine as _;
                    base64::engine::general_purpose::STANDARD.encode(terraform)
                }
                _ => terraform.to_owned(),
            };
            let data = Value::string(data);
            format!(r#"{{"data":{data},"encoding":"{encoding}"}}"#)
        }

        #[test]
        fn a_terraform_state_becomes_a_flow_state() {
            let resources = [
                r#"{"mode":"data","type":"alicloud_nat_gateway","name":"nat_gateway","instances":[{"attributes":{"id":"other"}}]}"#.to_owned(),
                resource("alicloud_nat_gateway", "nat_gateway", &["ngw-1"]),
                resource("alicloud_eip", "eip_natgw_z0", &["eip-0"]),
                resource("alicloud_eip", "eip_natgw_z1", &["eip-1", "eip-2"]),
                resource("alicloud_vswitch", "vsw_z0", &["vsw-0"]),
                resource("alicloud_vswitch", "vsw_z1", &["vsw-1"]),
                resource("alicloud_vswitch", "vsw_z2", &["vsw-2"]),
                resource("alicloud_vswitch", "vsw_z3", &[""]),
                resource("alicloud_vswitch", "vsw_z9", &["vsw-9"]),
            ];
            let terraform = format!(
                r#"{{"version":4,"outputs":{{"vpc_id":{{"value":"vpc-1","type":"string"}},"sg_id":{{"value":"sg-1"}}}},"resources":[{}]}}"#,
                resources.join(",")
            );
            let expected = entries(&[
                ("MigratedFromTerraform", "true"),
                ("NatGateway", "ngw-1"),
                ("NodesSecurityGroup", "sg-1"),
                ("VPC", "vpc-1"),
                ("Zones/a/NATGatewayElasticIP", "eip-0"),
                ("Zones/a/Suffix", "z0"),
                ("Zones/a/VSwitch", "vsw-0"),
                ("Zones/b/Suffix", "z1"),
                ("Zones/b/VSwitch", "vsw-1"),
                ("Zones/c/Suffix", "z3"),
            ]);
            for encoding in ["none", "base64"] {
                assert_eq!(read_of(&raw(&terraform, encoding), ZONES).as_ref(), Ok(&expected), "{encoding}");
            }
        }

        #[test]
        fn a_terraform_state_without_outputs_or_data_is_none() {
            for terraform in [r#"{"version":4,"resources":[]}"#, r#"{"outputs":null}"#, "[]", "1"] {
                assert_eq!(read_of(&raw(terraform, "none"), ZONES), Ok(Vec::new()), "{terraform}");
            }
            for recorded in ["{}", r#"{"data":"","encoding":"none"}"#] {
                assert_eq!(read_of(recorded, ZONES), Ok(Vec::new()), "{recorded}");
            }
        }

        #[test]
        fn what_is_not_among_the_outputs_is_not_recorded() {
            let expected = entries(&[("MigratedFromTerraform", "true")]);
            for terraform in
                [r#"{"outputs":{}}"#, r#"{"outputs":{"vpc_id":{"value":""},"sg_id":{"value":1}},"resources":{}}"#]
            {
                assert_eq!(read_of(&raw(terraform, "none"), "{}").as_ref(), Ok(&expected), "{terraform}");
            }
        }
    }
}
