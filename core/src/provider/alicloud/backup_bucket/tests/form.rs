use super::*;

/// The fields that are refused before the first call.
fn fields(request: &Value) -> Vec<String> {
    let mut cloud = Oss::new(None);
    let answer = cloud.plan(plan, request).unwrap();
    assert_eq!(cloud.calls, [""; 0]);
    let findings = answer["findings"].as_array().cloned().unwrap_or_default();
    findings
        .iter()
        .map(|finding| format!("{} {}", finding["rule"].as_str().unwrap(), finding["field"].as_str().unwrap()))
        .collect()
}

#[test]
fn the_form_of_a_bucket_is_checked_before_the_first_call() {
    for operation in ["reconcile", "delete"] {
        for name in ["", "ab", "-abc", "abc-", "a.bc", "Abc", "a/b", &"a".repeat(64)] {
            let mut request = request(operation);
            request["request"]["backupBucket"]["metadata"]["name"] = json!(name);
            assert_eq!(fields(&request), ["ALI-BKT-001 metadata.name"], "{name}");
        }
        for region in [json!(null), json!(""), json!("cn shanghai"), json!(5)] {
            let mut request = request(operation);
            request["request"]["backupBucket"]["spec"]["region"] = region;
            assert_eq!(fields(&request), ["ALI-BKT-001 spec.region"]);
        }
    }
}

#[test]
fn the_retention_of_a_configuration_is_judged_as_validation_judges_it() {
    let with = |key: &str, value: Value| {
        let mut request = retained(30, false);
        request["request"]["backupBucket"]["spec"]["providerConfig"]["immutability"][key] = value;
        request
    };
    for (request, field) in [
        (with("retentionType", json!("object")), "ALI-BUCKET-010 spec.providerConfig.immutability.retentionType"),
        (with("retentionPeriod", json!(0)), "ALI-BUCKET-011 spec.providerConfig.immutability.retentionPeriod"),
        (with("retentionPeriod", json!("30")), "ALI-BUCKET-002 spec.providerConfig"),
        (with("odd", json!(1)), "ALI-BUCKET-002 spec.providerConfig"),
    ] {
        assert_eq!(fields(&request), [field]);
        let mut delete = request;
        delete["request"]["operation"] = json!("delete");
        assert_eq!(Oss::new(None).run(plan, &mut delete), Ended::Done, "a deletion needs none");
    }
}
