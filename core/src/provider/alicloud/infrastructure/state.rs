//! The recorded state in the form of the existing extension, `FlowState` (`alicloud-policy` 1.9 and 5.5).

use super::images;
use super::names::{DELETED, VPC, zone_key};
use super::terraform;
use crate::document::{JsonText, Value};
use crate::policy::{InfrastructureRequest, RequestError, State};
use crate::provider::alicloud::api::API_VERSION;

const KIND: &str = "FlowState";
const GROUP: &str = "alicloud.provider.extensions.gardener.cloud";

/// Where an Infrastructure holds the state.
const POINTER: &str = "/status/state";

/// What is recorded of a zone: its suffix in names.
const SUFFIX: &str = "Suffix";

/// The state that a request is about: the given one, else what `status.state` of the Infrastructure holds, also where
/// that is still of the existing extension's Terraform predecessor; and the id of a configured VPC.
pub fn read(request: &InfrastructureRequest<'_>, given: Option<&State>) -> Result<State, RequestError> {
    let recorded = request.infrastructure.and_then(|infrastructure| infrastructure.pointer(POINTER));
    let mut state = match (given, recorded) {
        (Some(given), _) => given.clone(),
        (None, None | Some(Value::Null)) => State::new(),
        (None, Some(document)) => {
            let read =
                if is_typed(document) { flow(document) } else { terraform::migrate(document, request.config()) };
            read.map_err(|message| RequestError::Malformed { message, pointer: Some(POINTER.to_owned()) })?
        }
    };
    let configured =
        request.config().and_then(|config| config.pointer("/networks/vpc/id")).and_then(Value::as_str);
    if let Some(id) = configured {
        state.insert(VPC, id.to_owned());
    }
    // The existing extension reads an empty value as none, and writes none.
    Ok(state.into_iter().filter(|(_, value)| !value.is_empty()).collect())
}

/// Whether a document says what it is. Terraform's does not.
fn is_typed(document: &Value<'_>) -> bool {
    let says = |key| document.get(key).and_then(Value::as_str).is_some_and(|text| !text.is_empty());
    says("kind") || says("apiVersion")
}

/// The entries of a `FlowState`.
fn flow(document: &Value<'_>) -> Result<State, String> {
    let text = |key| document.get(key).and_then(Value::as_str).unwrap_or_default();
    let (kind, api_version) = (text("kind"), text("apiVersion"));
    if kind != KIND || !api_version.starts_with(GROUP) {
        return Err(format!(
            "unknown kind or group: kind={kind}, apiVersion={api_version}; expected is `{KIND}` of `{API_VERSION}`"
        ));
    }
    if api_version != API_VERSION {
        return Err(format!(
            "unsupported APIVersion {api_version} for kind {kind}; a state of `{API_VERSION}` can be read"
        ));
    }
    let members = match document.get("data") {
        None => return Ok(State::new()),
        Some(Value::Object(members)) => members,
        Some(other) => return Err(format!("`data` of a FlowState must be an object, not {}", other.kind())),
    };
    let entry = |(key, value): &(std::borrow::Cow<'_, str>, Value<'_>)| match value {
        Value::String(text) => Ok((key.to_string(), text.to_string())),
        Value::Null => Ok((key.to_string(), String::new())),
        other => Err(format!("`data` of a FlowState must have texts, `{key}` is {}", other.kind())),
    };
    members.iter().map(entry).collect()
}

/// The state as the document that goes into `status.state`.
pub fn write(state: &State) -> JsonText {
    let data = state.iter().map(|(key, value)| (key.into(), Value::string(value.as_str()))).collect();
    let document = Value::object([
        ("kind", Value::string(KIND)),
        ("apiVersion", Value::string(API_VERSION)),
        ("data", Value::Object(data)),
    ]);
    JsonText::from(&document)
}

/// The state without the ids of encrypted images: of no account, nothing tells whose they are, and their stacks find them.
pub fn without_images(state: State) -> State {
    state.into_iter().filter(|(key, _)| !key.starts_with(images::RECORDED)).collect()
}

/// The value of a key, unless what it named was deleted.
pub fn valid<'s>(state: &'s State, key: &str) -> Option<&'s str> {
    state.get(key).map(String::as_str).filter(|value| is_valid(value))
}

/// Whether a value names something that was not deleted.
pub fn is_valid(value: &str) -> bool {
    !value.is_empty() && value != DELETED
}

/// Zones for which something is recorded, with what it is, in order of their names.
pub fn of_zones<'s>(state: &'s State, what: &str) -> impl Iterator<Item = (&'s str, &'s str)> {
    state.iter().filter(|(_, value)| is_valid(value)).filter_map(move |(key, value)| {
        let (zone, last) = key.strip_prefix("Zones/")?.split_once('/')?;
        (last == what).then_some((zone, value.as_str()))
    })
}

/// The suffix of each zone, such as `z0`: the recorded one, else the smallest that no recorded zone has, which is recorded.
pub fn suffixes<'z>(state: &mut State, zones: impl IntoIterator<Item = &'z str>) -> Vec<String> {
    let taken: Vec<String> = of_zones(state, SUFFIX).map(|(_, suffix)| suffix.to_owned()).collect();
    let mut free = (0_usize..).map(|index| format!("z{index}")).filter(|suffix| !taken.contains(suffix));
    let suffix = |zone| {
        let key = zone_key(zone, SUFFIX);
        if let Some(suffix) = valid(state, &key) {
            return suffix.to_owned();
        }
        let suffix = free.next().unwrap_or_default();
        state.insert(key, suffix.clone());
        suffix
    };
    zones.into_iter().map(suffix).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::parse;
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
        assert_eq!(write(&state).as_str(), written);
    }

    #[test]
    fn what_was_deleted_is_not_valid() {
        let state =
            State::from_iter([("a", "x"), ("b", DELETED), ("c", "")].map(|(key, value)| (key, value.to_owned())));
        assert_eq!(["a", "b", "c", "d"].map(|key| valid(&state, key)), [Some("x"), None, None, None]);
    }

    #[test]
    fn a_zone_keeps_its_suffix_and_a_new_one_gets_the_smallest_that_is_free() {
        let recorded = [("Zones/b/Suffix", "z1"), ("Zones/gone/Suffix", "z0"), ("Zones/d/Suffix", DELETED)];
        let mut state: State = recorded.map(|(key, value)| (key, value.to_owned())).into_iter().collect();
        assert_eq!(suffixes(&mut state, ["a", "b", "c", "a", "d"]), ["z2", "z1", "z3", "z2", "z4"]);
        assert_eq!(valid(&state, "Zones/a/Suffix"), Some("z2"));
        let before = state.clone();
        assert_eq!(suffixes(&mut state, ["d", "c", "b"]), ["z4", "z3", "z1"]);
        assert_eq!(state, before);
        assert_eq!(suffixes(&mut State::new(), ["x", "y"]), ["z0", "z1"]);
    }

    #[test]
    fn what_is_recorded_of_zones_is_told_by_zone() {
        let state: State = ["Zones/b/VSwitch", "Zones/a/VSwitch", "Zones/a/b/VSwitch", "Zones/VSwitch", "VSwitch"]
            .map(|key| (key, "v".to_owned()))
            .into_iter()
            .collect();
        assert_eq!(of_zones(&state, "VSwitch").map(|(zone, _)| zone).collect::<Vec<_>>(), ["a", "b"]);
    }

    mod any_state {
        use super::*;
        use proptest::prelude::*;

        proptest! {
            #[test]
            fn what_is_written_is_read_again(entries in prop::collection::btree_map("\\PC{0,12}", "\\PC{1,12}", 0..8)) {
                let state: State = entries.into_iter().collect();
                let read = read_of(write(&state).as_str(), "{}").map(State::from_iter);
                prop_assert_eq!(read, Ok(state));
            }

            #[test]
            fn no_two_zones_have_the_same_suffix(
                recorded in prop::collection::btree_map("[a-d]", 0..6_u8, 0..4),
                zones in prop::collection::vec("[a-h]", 0..12),
            ) {
                let mut state = State::new();
                let mut taken = Vec::new();
                for (zone, index) in recorded {
                    if !taken.contains(&index) {
                        taken.push(index);
                        state.insert(zone_key(&zone, SUFFIX), format!("z{index}"));
                    }
                }
                let found = suffixes(&mut state, zones.iter().map(String::as_str));
                for (zone, suffix) in zones.iter().zip(&found) {
                    prop_assert_eq!(valid(&state, &zone_key(zone, SUFFIX)), Some(suffix.as_str()));
                }
                let mut all: Vec<_> = of_zones(&state, SUFFIX).map(|(_, suffix)| suffix).collect();
                let count = all.len();
                all.sort_unstable();
                all.dedup();
                prop_assert_eq!(all.len(), count);
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
