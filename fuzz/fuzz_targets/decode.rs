//! Any bytes: reading JSON and decoding it never panics, what was read is written back as JSON, and a policy
//! answers whatever stands where its configurations are.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trellis_core::document::decode::{Mode, decode};
use trellis_core::document::parse;
use trellis_core::gardener::types::binding::Binding;
use trellis_core::gardener::types::cloud_profile::CloudProfile;
use trellis_core::gardener::types::shoot::Shoot;
use trellis_fuzz::{ask, provider};

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(value) = parse(text) else { return };
    let written = value.to_string();
    let again = parse(&written).expect("what was read is JSON when written");
    assert_eq!(again.to_string(), written);
    for mode in [Mode::Strict, Mode::Lenient] {
        let _ = decode::<Shoot<'_>>(&value, mode);
        let _ = decode::<CloudProfile<'_>>(&value, mode);
        let _ = decode::<Binding<'_>>(&value, mode);
    }
    let parts = format!(
        r#""infrastructureConfig":{text},"controlPlaneConfig":{text},"workers":[{{"name":"a","zones":["a"],"providerConfig":{text}}}]"#
    );
    for object in [
        format!(r#"{{"kind":"Shoot","spec":{{"networking":{{}},"provider":{{{parts}}}}}}}"#),
        format!(r#"{{"kind":"CloudProfile","spec":{{"providerConfig":{text}}}}}"#),
        format!(r#"{{"kind":"BackupBucket","spec":{{"providerConfig":{text}}}}}"#),
    ] {
        let request = format!(r#"{{"object":{object},"oldObject":{object}}}"#);
        ask(provider(data), "validate", &request);
    }
});
