//! The image of each worker pool (EQX-LKP).

use super::cloud_profile::undecodable;
use crate::call::Known;
use crate::collections::{NameMap, NameSet};
use crate::document::Value;
use crate::document::decode::Mode;
use crate::gardener::provider_config::Config;
use crate::gardener::shoot::{WORKERS, cloud_profile, cloud_profile_reference};
use crate::gardener::types::cloud_profile::offering;
use crate::gardener::types::shoot::Shoot;
use crate::policy::Request;
use crate::provider::equinixmetal::api::CloudProfileConfig;
use crate::provider::equinixmetal::boot::{self, not_mapped};
use crate::provider::equinixmetal::rules::{advice, decoding, lookup as rules};
use crate::report::{Report, Severity};
use crate::text::join;

/// Looks for the image of each pool.
pub fn validate(request: &Request<'_>, shoot: &Shoot<'_>, old: Option<&Shoot<'_>>, report: &mut Report<'_>) {
    let Some(config) = cloud_profile_config(request, shoot, report) else { return };
    let index = boot::index(&config);
    let mut in_use: NameMap<'_, NameSet<'_>> = NameMap::new();
    for (_, name, version) in old.into_iter().flat_map(images) {
        in_use.or_insert_with(name, NameSet::new).insert(version);
    }
    for (position, name, version) in images(shoot) {
        if report.is_full(Severity::Warning) {
            return;
        }
        let path = WORKERS.index(position);
        let path = path.key("machine");
        let path = path.key("image");
        match index.get(name, version) {
            Some(image) if image.id.is_empty() && image.ipxe_script_url.is_empty() => {
                let detail = format!("image {name} in version {version} has neither an id nor an iPXE script");
                report.warn(&advice::ADV_008, &path, detail);
            }
            Some(_) => {}
            // Pools that have the image already fall back to what the worker's status remembers.
            None if in_use.get(name).is_some_and(|versions| versions.contains(version)) => {
                report.warn(&rules::LKP_002, &path, not_mapped(name, version));
            }
            None => {
                let detail = format!(
                    "could not find machine image for {name}/{version} neither in cloud profile nor in worker status"
                );
                report.warn(&rules::LKP_003, &path, detail);
            }
        }
    }
    let unnamed: Vec<&str> = shoot
        .spec
        .provider
        .workers
        .iter()
        .filter(|worker| worker.machine.image.is_none_or(|image| image.version.is_none()))
        .map(|worker| worker.name)
        .collect();
    if !unnamed.is_empty() {
        let why =
            format!("Gardener chooses the image of worker pools without one on submit: {}", join(&unnamed, ", "));
        report.undecided(&rules::LKP_002, why, None);
    }
}

/// Index of the pool, name and version of every image that is named in full.
fn images<'v>(shoot: &Shoot<'v>) -> impl Iterator<Item = (usize, &'v str, &'v str)> {
    shoot.spec.provider.workers.iter().enumerate().filter_map(|(index, worker)| {
        let image = worker.machine.image?;
        Some((index, image.name, image.version?))
    })
}

/// The configuration of the Shoot's profile; none where nobody gives one that can be read.
fn cloud_profile_config<'r>(
    request: &Request<'r>,
    shoot: &Shoot<'_>,
    report: &mut Report<'_>,
) -> Option<CloudProfileConfig<'r>> {
    let unknown = "the CloudProfile is not known here; it says which images there are";
    let (why, query) = match cloud_profile(request, shoot) {
        Some(Known::Found(profile)) => match offering(profile).and_then(|spec| spec.get("providerConfig")) {
            Some(config) => return read_config(profile, config, shoot, report),
            None => (
                "the CloudProfile is known here without `providerConfig`, which says which images there are"
                    .to_owned(),
                None,
            ),
        },
        Some(Known::Failed(message)) => (format!("the CloudProfile could not be read: {message}"), None),
        Some(Known::Unknown(query)) => (unknown.to_owned(), Some(query)),
        None => (unknown.to_owned(), None),
    };
    report.undecided(&rules::LKP_002, why, query);
    None
}

/// A configuration with a mistake is reported where the Shoot names the profile, for the Shoot does not hold it.
fn read_config<'r>(
    profile: &Value<'_>,
    config: &'r Value<'r>,
    shoot: &Shoot<'_>,
    report: &mut Report<'_>,
) -> Option<CloudProfileConfig<'r>> {
    match CloudProfileConfig::read(config, Mode::Strict) {
        Ok(config) => Some(config),
        Err(error) => {
            let name = profile.text_at(&["metadata", "name"]);
            let place = cloud_profile_reference(shoot);
            report.warn(&decoding::DEC_003, &place, undecodable(name, &error)).remedy(format!(
                "Fix `spec.providerConfig` of CloudProfile `{name}`, or ask the people who look after it."
            ));
            CloudProfileConfig::read(config, Mode::Lenient).ok()
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::fired;

    fn shoot(version: &str) -> Value {
        let image = json!({ "name": "flatcar", "version": version });
        let provider =
            json!({ "infrastructureConfig": {}, "workers": [{ "name": "a", "machine": { "image": image } }] });
        json!({ "kind": "Shoot", "spec": { "cloudProfileName": "metal", "provider": provider } })
    }

    fn profile() -> Value {
        let versions = json!([
            { "version": "1", "id": "flatcar_stable" },
            { "version": "2", "ipxeScriptUrl": "https://boot/2" },
            { "version": "3" },
        ]);
        let images = json!([{ "name": "flatcar" }, { "name": "flatcar", "versions": versions }]);
        json!({ "metadata": { "name": "metal" }, "spec": { "providerConfig": { "machineImages": images } } })
    }

    fn rules(object: &Value, old: &Value, profile: &Value) -> Vec<String> {
        let request = json!({ "object": object, "oldObject": old, "context": { "cloudProfile": profile } });
        fired(&request).into_iter().map(|(rule, _)| rule).collect()
    }

    #[test]
    fn images_are_found_by_name_and_version_in_any_entry() {
        for (version, expected) in
            [("1", &[] as &[&str]), ("2", &[]), ("3", &["EQX-ADV-008"]), ("4", &["EQX-LKP-003"])]
        {
            assert_eq!(rules(&shoot(version), &Value::Null, &profile()), expected, "{version}");
        }
    }

    #[test]
    fn an_image_that_a_pool_has_already_falls_back_to_the_status() {
        assert_eq!(rules(&shoot("4"), &shoot("4"), &profile()), ["EQX-LKP-002"]);
        assert_eq!(rules(&shoot("4"), &shoot("1"), &profile()), ["EQX-LKP-003"]);
    }

    #[test]
    fn what_is_not_known_is_undecided() {
        let ask = |object: &Value, context: Value| -> Value {
            let request = json!({ "object": object, "context": context }).to_string();
            let answer = crate::call("equinixmetal", "validate", &request);
            serde_json::from_str(&answer).unwrap()
        };
        let answer = ask(&shoot("1"), json!({}));
        assert_eq!((&answer["verdict"], &answer["findings"]), (&json!("accept"), &json!([])));
        let id = "kubernetes/get/core.gardener.cloud/v1beta1/CloudProfile//metal";
        assert_eq!(answer["undecided"][0]["query"]["id"], id);
        let answer = ask(&shoot("1"), json!({ "cloudProfile": { "spec": {} } }));
        assert_eq!(answer["undecided"][0]["rule"], "EQX-LKP-002");
        let mut unnamed = shoot("1");
        unnamed["spec"]["provider"]["workers"][0]["machine"] = json!({});
        let answer = ask(&unnamed, json!({ "cloudProfile": profile() }));
        assert_eq!(answer["undecided"][0]["rule"], "EQX-LKP-002");
    }
}
