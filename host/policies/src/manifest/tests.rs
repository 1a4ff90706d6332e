use super::*;
use crate::source::read;

fn documents(text: &str) -> Result<Vec<Document>, ManifestError> {
    let (input, roots) = read("t.yaml", text.as_bytes()).unwrap();
    Document::all_of(&input, roots)
}

fn manifests(text: &str) -> Manifests {
    Manifests::new(documents(text).unwrap()).unwrap()
}

const KNOWN: &[&str] = &["acme", "umbra"];

fn provider_of_first(text: &str) -> Result<Option<String>, String> {
    let manifests = manifests(text);
    provider(&manifests.documents()[0], &manifests, KNOWN).map_err(|error| error.to_string())
}

#[test]
fn every_kind_names_its_provider_in_its_own_way() {
    let table = [
        "{kind: Shoot, spec: {provider: {type: acme}}}",
        "{kind: Seed, spec: {backup: {provider: acme}, provider: {type: umbra}}}",
        "{kind: Seed, spec: {backup: {provider: ''}, provider: {type: acme}}}",
        "{kind: Seed, spec: {provider: {type: acme}}}",
        "{kind: BackupBucket, spec: {provider: {type: acme}}}",
        "{kind: CloudProfile, spec: {type: acme}}",
        "{kind: SecretBinding, provider: {type: acme}}",
        "{kind: CredentialsBinding, provider: {type: acme}}",
        "{kind: WorkloadIdentity, spec: {targetSystem: {type: acme}}}",
        "{kind: Secret, metadata: {labels: {provider.shoot.gardener.cloud/acme: 'true'}}}",
        "{kind: Secret, metadata: {name: s, namespace: dev}}\n---\n\
         {kind: SecretBinding, metadata: {namespace: dev}, secretRef: {name: s}, provider: {type: acme}}",
        "{kind: NamespacedCloudProfile, spec: {parent: {name: p}}}\n---\n\
         {kind: CloudProfile, metadata: {name: p}, spec: {type: acme}}",
        "{kind: NamespacedCloudProfile, \
         spec: {providerConfig: {apiVersion: acme.provider.extensions.gardener.cloud/v1alpha1}}}",
    ];
    for text in table {
        assert_eq!(provider_of_first(text), Ok(Some("acme".to_owned())), "{text}");
    }
}

#[test]
fn context_is_referred_to_and_is_no_subject() {
    let shoot = "{kind: Shoot, metadata: {name: s}, spec: {cloudProfileName: p, provider: {type: acme}}}";
    let profile = |region| format!("{{kind: CloudProfile, metadata: {{name: p}}, spec: {{regions: [{region}]}}}}");
    let regions = |given: &str, context: &[&str]| {
        let mut manifests = manifests(given);
        let judged = manifests.documents().len();
        for text in context {
            assert!(manifests.add_context(documents(text).unwrap()).is_empty());
        }
        assert_eq!(manifests.documents().len(), judged);
        let profile = cloud_profile(&manifests.documents()[0], &manifests)?;
        Some(profile.root.at(&["spec", "regions"])?.to_json())
    };
    let (south, north) = (profile("south"), profile("north"));
    let both = format!("{shoot}\n---\n{south}");
    let table: [(&str, &[&str], Option<&str>); 5] = [
        (shoot, &[], None),
        (shoot, &[&south], Some("[\"south\"]")),
        (shoot, &[&south, &south], Some("[\"south\"]")),
        (shoot, &[&south, &north], None),
        (&both, &[&north], Some("[\"south\"]")),
    ];
    for (given, context, expected) in table {
        assert_eq!(regions(given, context).as_deref(), expected, "{given}\n{context:?}");
    }
    let mut manifests = manifests(shoot);
    manifests.add_context(documents(&south).unwrap());
    let old = OldManifests::pair(documents(&north).unwrap(), &manifests);
    assert!(
        matches!(old.unwrap_err().problem, ManifestProblem::OldWithoutNew { .. }),
        "context has no old version"
    );
}

#[test]
fn unknown_and_missing_providers_are_distinguished() {
    let unknown = provider_of_first("{kind: Shoot, spec: {provider: {type: other}}}").unwrap_err();
    assert_eq!(unknown, "`other` is not supported yet: Trellis has policies for `acme`, `umbra`");
    let backup = "{kind: Seed, spec: {backup: {provider: other}, provider: {type: acme}}}";
    assert_eq!(provider_of_first(backup).unwrap_err(), unknown, "a Seed is its backup's");
    for missing in ["{kind: Shoot, spec: {}}", "{kind: Shoot, spec: {provider: {type: ''}}}"] {
        let missing = provider_of_first(missing).unwrap_err();
        assert_eq!(missing, "nothing says which provider this Shoot belongs to");
    }
    let plain = "{kind: Secret, metadata: {labels: {provider.shoot.gardener.cloud/acme: 'false'}}}";
    assert_eq!(provider_of_first(plain), Ok(None));
}

#[test]
fn only_gardener_kinds_of_the_right_group_belong_to_a_provider() {
    let table = [
        ("{apiVersion: core.gardener.cloud/v1beta1, kind: Shoot}", true),
        ("{apiVersion: v1, kind: Secret}", true),
        ("{kind: Shoot}", true),
        ("{apiVersion: v1, kind: ConfigMap}", false),
        ("{apiVersion: extensions.gardener.cloud/v1alpha1, kind: BackupBucket}", false),
        ("{apiVersion: security.gardener.cloud/v1alpha1, kind: CredentialsBinding}", true),
        ("{apiVersion: security.gardener.cloud/v1alpha1, kind: WorkloadIdentity}", true),
    ];
    for (text, expected) in table {
        assert_eq!(is_of_gardener(&documents(text).unwrap()[0]), expected, "{text}");
    }
}

#[test]
fn a_kind_and_a_version_that_gardener_does_not_have_are_mistakes() {
    let table = [
        ("{apiVersion: core.gardner.cloud/v1beta1, kind: Shoot}", true),
        ("{apiVersion: core.gardener.cloud/v1beta1, kind: CredentialsBinding}", true),
        ("{apiVersion: core.gardener.cloud/v1beta1, kind: Shoot}", false),
        // Gardener's own rules say of these kinds what is wrong.
        ("{apiVersion: core.gardener.cloud/v9, kind: Shoot}", false),
        ("{apiVersion: garden.sapcloud.io/v1beta1, kind: Shoot}", false),
        ("{apiVersion: garden.sapcloud.io/v1beta1, kind: Seed}", false),
        ("{apiVersion: core.gardener.cloud/v9, kind: SecretBinding}", true),
        ("{apiVersion: garden.sapcloud.io/v1beta1, kind: SecretBinding}", true),
        ("{apiVersion: v1, kind: Shoot}", true),
        ("{apiVersion: core.gardener.cloud/v1beta1, kind: Shot}", true),
        ("{apiVersion: core.gardener.cloud/v1beta1, kind: Project}", false),
        ("{apiVersion: v2, kind: Secret}", true),
        ("{kind: Shoot}", false),
        ("{apiVersion: extensions.gardener.cloud/v1alpha1, kind: BackupBucket}", false),
        ("{apiVersion: example.com/v1, kind: Secret}", false),
        ("{apiVersion: apps/v1, kind: Deployment}", false),
    ];
    for (text, expected) in table {
        assert_eq!(wrong_kind(&documents(text).unwrap()[0]).is_some(), expected, "{text}");
    }
}

#[test]
fn a_shoot_has_a_profile_and_the_secret_behind_its_binding() {
    let text = "\
{kind: Shoot, metadata: {namespace: dev}, spec: {cloudProfile: {name: p}, credentialsBindingName: b}}
---
{kind: CloudProfile, metadata: {name: p}}
---
{kind: CredentialsBinding, metadata: {name: b, namespace: dev}, credentialsRef: {kind: Secret, name: s, namespace: m}}
---
{kind: Secret, metadata: {name: s, namespace: m}}
---
{kind: Secret, metadata: {name: s, namespace: dev}}
";
    let manifests = manifests(text);
    let shoot = &manifests.documents()[0];
    let found: Vec<_> = context(shoot, &manifests)
        .iter()
        .map(|(role, document)| format!("{role}: {}", document.identity()))
        .collect();
    assert_eq!(found, ["cloudProfile: CloudProfile p", "credentialsBinding: CredentialsBinding dev/b"]);
    assert_eq!(
        secret(shoot, &manifests).map(|secret| secret.identity().to_string()),
        Some("Secret m/s".to_owned())
    );
}

#[test]
fn cloud_profiles_are_found_by_either_reference() {
    let table = [
        ("cloudProfileName: p", Some("CloudProfile p")),
        ("cloudProfile: {kind: CloudProfile, name: p}", Some("CloudProfile p")),
        ("cloudProfile: {kind: NamespacedCloudProfile, name: p}", Some("NamespacedCloudProfile dev/p")),
        ("cloudProfile: {name: other}", None),
    ];
    for (reference, expected) in table {
        let text = format!(
            "{{kind: Shoot, metadata: {{namespace: dev}}, spec: {{{reference}}}}}\n---\n\
             {{kind: CloudProfile, metadata: {{name: p}}}}\n---\n\
             {{kind: NamespacedCloudProfile, metadata: {{name: p, namespace: dev}}}}"
        );
        let manifests = manifests(&text);
        let found = context(&manifests.documents()[0], &manifests);
        let found = found.first().map(|(_, document)| document.identity().to_string());
        assert_eq!(found.as_deref(), expected, "{reference}");
    }
}

#[test]
fn workload_identities_are_no_secrets() {
    let manifests = manifests(
        "{kind: Shoot, spec: {credentialsBindingName: b}}\n---\n\
         {kind: CredentialsBinding, metadata: {name: b}, credentialsRef: {kind: WorkloadIdentity, name: s}}\n---\n\
         {kind: Secret, metadata: {name: s}}",
    );
    assert!(secret(&manifests.documents()[0], &manifests).is_none());
}

#[test]
fn lists_are_the_objects_in_them() {
    let text = "{kind: List, items: [{kind: Shoot}, {kind: ShootList, items: [{kind: Shoot}]}]}";
    let kinds: Vec<_> = documents(text).unwrap().iter().map(|document| document.kind().to_owned()).collect();
    assert_eq!(kinds, ["Shoot", "Shoot"]);
}

#[test]
fn items_of_a_list_of_one_kind_have_its_kind_and_version() {
    let text = "{apiVersion: core.gardener.cloud/v1beta1, kind: ShootList, items: [{spec: {}}, {kind: Seed}, 5]}";
    let found = documents(text).unwrap();
    let kinds: Vec<_> = found.iter().map(|document| (document.kind(), document.group())).collect();
    let core = Some("core.gardener.cloud");
    assert_eq!(kinds, [("Shoot", core), ("Seed", core), ("", None)], "an item that is no object is no Shoot");
    let problems: Vec<_> =
        found.iter().map(|document| document.has_kind().err().map(|error| error.problem)).collect();
    assert_eq!(problems, [None, None, Some(ManifestProblem::NoKind)]);
    assert_eq!(found[0].json(), r#"{"apiVersion":"core.gardener.cloud/v1beta1","kind":"Shoot","spec":{}}"#);
}

#[test]
fn secrets_are_reported_wherever_they_stand() {
    let text = "{kind: List, items: [{kind: Secret}, {kind: SecretList, items: [{kind: Secret}]}]}\n---\n\
                {kind: InternalSecret}\n---\n{kind: Shoot}\n---\n{kind: SecretBinding}";
    let secret: Vec<bool> = documents(text).unwrap().iter().map(Document::is_secret).collect();
    assert_eq!(secret, [true, true, true, false, false]);
}

#[test]
fn an_object_with_a_uid_or_a_resource_version_is_there() {
    let table = [
        ("{uid: a}", true),
        ("{resourceVersion: '5'}", true),
        ("{resourceVersion: 5}", true),
        ("{uid: '', resourceVersion: null, generation: 1}", false),
        ("{}", false),
    ];
    for (metadata, expected) in table {
        let text = format!("{{kind: Shoot, metadata: {metadata}, status: {{}}}}");
        assert_eq!(documents(&text).unwrap()[0].is_from_cluster(), expected, "{metadata}");
    }
}

#[test]
fn an_object_that_a_file_has_twice_counts_once_unless_the_two_differ() {
    let same = "{kind: Shoot, metadata: {name: a}}\n---\n{kind: Shoot, metadata: {name: a}}";
    assert_eq!(manifests(same).documents().len(), 1);
    let text = "kind: Shoot\nmetadata:\n  name: a\n---\nkind: Shoot\nspec: {}\nmetadata:\n  name: a\n";
    let error = Manifests::new(documents(text).unwrap()).unwrap_err();
    assert_eq!(error.to_string(), "this file has another Shoot a, at t.yaml:1");
    assert_eq!(error.input.position(error.span.start).line, 8);
    let (manifests, errors) = Manifests::collect(documents(text).unwrap());
    assert_eq!((manifests.documents().len(), errors.len()), (1, 1));
}

#[test]
fn an_object_of_another_api_group_is_another_one() {
    let object = |group: &str, spec: &str| {
        format!("{{apiVersion: {group}/v1, kind: BackupBucket, metadata: {{name: a}}, spec: {spec}}}")
    };
    let (core, extension) =
        (object("core.gardener.cloud", "{a: 1}"), object("extensions.gardener.cloud", "{a: 2}"));
    let both = manifests(&format!("{core}\n---\n{extension}"));
    assert_eq!(both.documents().len(), 2);
    let old = object("extensions.gardener.cloud", "{a: 3}");
    let olds = OldManifests::pair(documents(&old).unwrap(), &both).unwrap();
    let has_old: Vec<bool> = both.documents().iter().map(|one| olds.of(one).is_some()).collect();
    assert_eq!(has_old, [false, true]);
    OldManifests::pair(documents(&old).unwrap(), &manifests(&core)).unwrap_err();
}

/// Two files: in the first a Shoot, and in some rows a CloudProfile; in the second a CloudProfile, or two.
#[test]
fn an_object_means_the_one_in_its_own_file_else_the_one_that_all_other_files_agree_on() {
    let shoot = "{kind: Shoot, metadata: {name: s}, spec: {cloudProfileName: p}}";
    let profile =
        |colour: &str| format!("{{kind: CloudProfile, metadata: {{name: p}}, spec: {{type: {colour}}}}}");
    let (red, blue) = (profile("red"), profile("blue"));
    let of = |files: &[String]| {
        let documents = files.iter().flat_map(|text| documents(text).unwrap()).collect();
        let manifests = Manifests::new(documents).unwrap();
        let meant =
            manifests.meant(&manifests.documents()[0], &profile_reference(&manifests.documents()[0]).unwrap());
        match meant {
            Meant::Nothing => "none".to_owned(),
            Meant::One(profile) => profile.text_at(&["spec", "type"]).unwrap().to_owned(),
            Meant::Several(profiles) => format!("{} profiles", profiles.len()),
        }
    };
    let shoot = shoot.to_owned();
    assert_eq!(of(std::slice::from_ref(&shoot)), "none");
    assert_eq!(of(&[format!("{shoot}\n---\n{red}"), blue.clone()]), "red");
    assert_eq!(of(&[shoot.clone(), blue.clone(), blue.clone()]), "blue");
    assert_eq!(of(&[shoot, blue.clone(), red, blue]), "2 profiles");
}

#[test]
fn an_old_version_needs_its_new_one() {
    let new = manifests("{kind: Shoot, metadata: {name: a}}");
    let old = OldManifests::pair(documents("{kind: Shoot, metadata: {name: a}}").unwrap(), &new).unwrap();
    assert!(old.of(&new.documents()[0]).is_some());
    let error = OldManifests::pair(documents("{kind: Shoot, metadata: {name: b}}").unwrap(), &new).unwrap_err();
    assert_eq!(error.to_string(), "the old version of Shoot b has no new version among the inputs");
}

#[test]
fn a_document_without_kind_is_no_object() {
    for text in ["a: 1", "[1]", "text", "kind: 5"] {
        let error = documents(text).unwrap_err();
        assert_eq!(error.problem, ManifestProblem::NoKind, "{text}");
    }
}
