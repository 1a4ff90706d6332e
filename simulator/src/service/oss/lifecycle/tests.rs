use super::super::testing::Oss;
use super::*;

const NAME: (&str, &str) = ("bucket", "bucket");
const DAY: u64 = 86_400;
const ENABLED: (&str, &str) = ("Rule.1.Status", "Enabled");

#[test]
fn rules_are_answered_as_they_were_put() {
    let cloud = Oss::with_bucket();
    assert_eq!(cloud.attempt("GetBucketLifecycle", &[NAME]), Err("NoSuchLifecycle"));
    cloud.call(
        "PutBucketLifecycle",
        &[
            NAME,
            ("Rule.1.ID", "GC"),
            ENABLED,
            ("Rule.1.Tag.1.Key", "gc"),
            ("Rule.1.Tag.1.Value", "true"),
            ("Rule.1.Expiration.Days", "4"),
            ("Rule.2.Status", "Disabled"),
            ("Rule.2.Prefix", "p/"),
            ("Rule.2.AbortMultipartUpload.CreatedBeforeDate", "2026-01-01T00:00:00.000Z"),
        ],
    );
    let rules = cloud.call("GetBucketLifecycle", &[NAME]).fields["LifecycleConfiguration"]["Rule"].clone();
    assert_eq!(
        rules[0],
        json!({
            "ID": "GC", "Prefix": "", "Status": "Enabled", "Tag": [{ "Key": "gc", "Value": "true" }],
            "Expiration": { "Days": 4 },
        })
    );
    assert_eq!(rules[1]["AbortMultipartUpload"]["CreatedBeforeDate"], "2026-01-01T00:00:00.000Z");
    assert_eq!((&rules[1]["Status"], &rules[1]["Prefix"]), (&json!("Disabled"), &json!("p/")));
    assert!(!rules[1]["ID"].as_str().unwrap().is_empty());
    cloud.call("DeleteBucketLifecycle", &[NAME]);
    assert_eq!(cloud.attempt("GetBucketLifecycle", &[NAME]), Err("NoSuchLifecycle"));
}

#[test]
fn what_is_no_rule_is_refused() {
    let cloud = Oss::with_bucket();
    let days = ("Rule.1.Expiration.Days", "1");
    for (rule, code) in [
        (&[][..], "MalformedXML"),
        (&[ENABLED], "MalformedXML"),
        (&[days], "MalformedXML"),
        (&[("Rule.1.Status", "On"), days], "MalformedXML"),
        (&[ENABLED, days, ("Rule.1.Expiration.CreatedBeforeDate", "2026-01-01T00:00:00Z")], "MalformedXML"),
        (&[ENABLED, ("Rule.1.Expiration.CreatedBeforeDate", "2026-01-01T00:00:01Z")], "InvalidArgument"),
        (&[ENABLED, ("Rule.1.Expiration.Days", "0")], "InvalidParameter"),
        (
            &[
                ENABLED,
                days,
                ("Rule.1.ID", "a"),
                ("Rule.2.ID", "a"),
                ("Rule.2.Status", "Enabled"),
                ("Rule.2.AbortMultipartUpload.Days", "1"),
            ],
            "InvalidArgument",
        ),
        (
            &[
                ENABLED,
                days,
                ("Rule.2.Status", "Enabled"),
                ("Rule.2.Prefix", "p"),
                ("Rule.2.Expiration.Days", "2"),
            ],
            "InvalidArgument",
        ),
        (&[ENABLED, days, ("Rule.1.Tag.1.Key", "k%")], "InvalidTag"),
        (&[ENABLED, ("Rule.1.Tag.1.Key", "k"), ("Rule.1.AbortMultipartUpload.Days", "1")], "InvalidArgument"),
    ] {
        let parameters: Vec<_> = [NAME].iter().chain(rule).copied().collect();
        assert_eq!(cloud.attempt("PutBucketLifecycle", &parameters), Err(code), "{rule:?}");
    }
    let overlapping = [
        NAME,
        ENABLED,
        days,
        ("Rule.2.Status", "Enabled"),
        ("Rule.2.Prefix", "p"),
        ("Rule.2.Expiration.Days", "2"),
        ("x-oss-allow-same-action-overlap", "true"),
    ];
    assert_eq!(cloud.attempt("PutBucketLifecycle", &overlapping), Ok(()));
}

#[test]
fn rules_are_carried_out_at_midnight() {
    let cloud = Oss::with_bucket();
    cloud.put("p/old", b"1");
    cloud.put("q", b"1");
    cloud.call("PutBucketLifecycle", &[NAME, ENABLED, ("Rule.1.Prefix", "p/"), ("Rule.1.Expiration.Days", "1")]);
    cloud.step(DAY);
    cloud.put("p/new", b"1");
    assert_eq!(cloud.keys(), "p/new p/old q");
    // It is 03:04:05; midnight in China is 16:00.
    cloud.step(13 * 3600);
    assert_eq!(cloud.keys(), "p/new q");
    cloud.step(23 * 3600);
    assert_eq!(cloud.keys(), "p/new q", "its day is over, but not the day");
    cloud.step(3600);
    assert_eq!(cloud.keys(), "q");
}

#[test]
fn tags_choose_objects() {
    let cloud = Oss::with_bucket();
    cloud.put("a", b"1");
    cloud.put("b", b"1");
    cloud.call(
        "PutBucketLifecycle",
        &[
            NAME,
            ENABLED,
            ("Rule.1.Tag.1.Key", "gc"),
            ("Rule.1.Tag.1.Value", "true"),
            ("Rule.1.Expiration.Days", "1"),
        ],
    );
    cloud.call(
        "PutObjectTagging",
        &[NAME, ("key", "a"), ("TagSet.Tag.1.Key", "gc"), ("TagSet.Tag.1.Value", "true")],
    );
    cloud.step(3 * DAY);
    assert_eq!(cloud.keys(), "b");
}

#[test]
fn protected_objects_stay_until_they_are_free() {
    let cloud = Oss::with_bucket();
    cloud.put("a", b"1");
    cloud.call("PutBucketLifecycle", &[NAME, ENABLED, ("Rule.1.Expiration.Days", "1")]);
    let answer = cloud.call("InitiateBucketWorm", &[NAME, ("RetentionPeriodInDays", "10")]);
    let id = answer.fields["x-oss-worm-id"].as_str().unwrap().to_owned();
    cloud.call("CompleteBucketWorm", &[NAME, ("wormId", &id)]);
    cloud.step(10 * DAY);
    assert_eq!(cloud.keys(), "a");
    cloud.step(DAY);
    assert_eq!(cloud.keys(), "");

    let cloud = Oss::with_bucket();
    cloud.put("a", b"1");
    cloud.call("PutBucketLifecycle", &[NAME, ENABLED, ("Rule.1.Expiration.Days", "1")]);
    cloud.call("InitiateBucketWorm", &[NAME, ("RetentionPeriodInDays", "10")]);
    cloud.step(2 * DAY);
    assert_eq!(cloud.keys(), "", "the policy was not locked");
}

#[test]
fn uploads_are_given_up() {
    let cloud = Oss::with_bucket();
    cloud.call("InitiateMultipartUpload", &[NAME, ("key", "a")]);
    cloud.call("PutBucketLifecycle", &[NAME, ENABLED, ("Rule.1.AbortMultipartUpload.Days", "7")]);
    cloud.call("InitiateMultipartUpload", &[NAME, ("key", "b")]);
    cloud.step(7 * DAY);
    let uploads = || {
        let answer = cloud.call("ListMultipartUploads", &[NAME]).fields;
        answer["ListMultipartUploadsResult"]["Upload"].as_array().unwrap().len()
    };
    assert_eq!(uploads(), 2);
    cloud.step(DAY);
    assert_eq!(uploads(), 0);
    assert_eq!(cloud.attempt("DeleteBucket", &[NAME]), Ok(()));
}

#[test]
fn what_nobody_carries_out_is_kept_and_holds_a_rule_with_a_filter_back() {
    let cloud = Oss::with_bucket();
    cloud.put("a", b"1");
    let transition = "<Transition><Days>1</Days><StorageClass>IA</StorageClass></Transition>";
    let filter = "<Filter><ObjectSizeGreaterThan>9</ObjectSizeGreaterThan></Filter>";
    let rules = [
        NAME,
        ("Rule.1.Prefix", "p/"),
        ENABLED,
        ("Rule.1.*", transition),
        ("Rule.2.Status", "Enabled"),
        ("Rule.2.Expiration.Days", "1"),
        ("Rule.2.*", filter),
    ];
    cloud.call("PutBucketLifecycle", &rules);
    let rules = cloud.call("GetBucketLifecycle", &[NAME]).fields["LifecycleConfiguration"]["Rule"].clone();
    assert_eq!((&rules[0]["*"], &rules[1]["*"]), (&json!(transition), &json!(filter)));
    cloud.step(3 * DAY);
    assert_eq!(cloud.keys(), "a");
}
