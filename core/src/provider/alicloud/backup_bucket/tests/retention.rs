use super::*;

type Worm = Option<(&'static str, i64)>;
/// What is found, what is wanted, the changes, and what is there after them.
type Row<'r> = (Worm, &'r Value, &'r [&'r str], Worm);

/// How a reconciliation of a bucket with a retention ends, with the changes of it and the retention at the end.
fn reconciled(
    worm: Option<(&'static str, i64)>,
    mut wanted: Value,
    origin: &str,
) -> (Ended, Vec<String>, Option<(&'static str, i64)>) {
    let mut cloud = Oss::new(Some(Bucket { worm, ..Bucket::ours() }));
    wanted["state"] = json!({ "Account": ACCOUNT, "Bucket": NAME, "Origin": origin });
    let ended = cloud.run(plan, &mut wanted);
    let calls = cloud.take_calls();
    let changes = calls.into_iter().filter(|call| !call.starts_with("Get")).collect();
    (ended, changes, cloud.bucket.unwrap().worm)
}

#[test]
fn every_retention_becomes_the_one_that_is_wanted_or_is_refused() {
    let (none, open, locked) = (request("reconcile"), retained(30, false), retained(30, true));
    let (shorter, longer) = (retained(20, true), retained(40, true));
    let (in_progress, fixed, expired) = (Some(("InProgress", 30)), Some(("Locked", 30)), Some(("Expired", 30)));
    let (begin, lock, abort, extend) =
        ("InitiateBucketWorm", "CompleteBucketWorm W1", "AbortBucketWorm", "ExtendBucketWorm W1");
    let rows: [Row<'_>; 19] = [
        (None, &none, &[], None),
        (None, &open, &[begin], in_progress),
        (None, &locked, &[begin, lock], fixed),
        (in_progress, &none, &[abort], None),
        (in_progress, &open, &[], in_progress),
        (in_progress, &locked, &[lock], fixed),
        (in_progress, &longer, &[lock, extend], Some(("Locked", 40))),
        (in_progress, &shorter, &["refused"], in_progress),
        (in_progress, &retained(20, false), &[], in_progress),
        (fixed, &none, &[], fixed),
        (fixed, &open, &[], fixed),
        (fixed, &locked, &[], fixed),
        (fixed, &longer, &[extend], Some(("Locked", 40))),
        (fixed, &retained(40, false), &[extend], Some(("Locked", 40))),
        (fixed, &shorter, &["refused"], fixed),
        (fixed, &retained(20, false), &["refused"], fixed),
        (expired, &none, &[abort], None),
        (expired, &open, &[abort, begin], in_progress),
        (expired, &locked, &[abort, begin, lock], fixed),
    ];
    for origin in ["created", "taken", "found"] {
        for (place, (found, wanted, changes, after)) in rows.iter().enumerate() {
            let (ended, done, worm) = reconciled(*found, (*wanted).clone(), origin);
            if *changes == ["refused"] {
                assert_eq!((ended, done), (refused("ALI-BKT-007"), Vec::new()), "{origin} {place}");
                continue;
            }
            // In a bucket that is not ours, nothing goes that no configuration asks for.
            let is_left = origin == "found" && *wanted == &none;
            let (changes, after) = if is_left { (&[][..], found) } else { (*changes, after) };
            assert_eq!(
                (ended, done, worm),
                (Ended::Done, changes.iter().map(|&call| call.to_owned()).collect(), *after),
                "{origin} {place}"
            );
        }
    }
}

#[test]
fn a_locked_retention_costs_six_calls_and_four_to_extend() {
    let mut cloud = Oss::new(None);
    let mut wanted = retained(30, true);
    assert_eq!(cloud.run(plan, &mut wanted), Ended::Done);
    assert_eq!(cloud.take_calls().len(), 6, "the existing extension makes nine calls");
    assert_eq!(wanted["state"]["Worm"], "W1");
    let state = wanted["state"].clone();
    assert_eq!(cloud.run(plan, &mut wanted), Ended::Done);
    assert_eq!((cloud.take_calls().len(), &wanted["state"]), (3, &state));
    let mut longer = retained(40, true);
    longer["state"] = state;
    assert_eq!(cloud.run(plan, &mut longer), Ended::Done);
    assert_eq!(cloud.take_calls().len(), 4, "the existing extension makes five calls");
}

#[test]
fn what_a_retention_does_not_do_is_said() {
    let warnings = |worm, wanted: &Value| -> Vec<String> {
        let mut cloud = Oss::new(Some(Bucket { worm: Some(worm), ..Bucket::ours() }));
        let mut wanted = wanted.clone();
        wanted["state"] = created();
        let answer = cloud.plan(plan, &wanted).unwrap();
        let findings = answer["findings"].as_array().cloned().unwrap_or_default();
        findings.iter().map(|finding| finding["detail"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(
        warnings(("Expired", 30), &retained(30, false)),
        [
            "the retention that nobody locked expired on 2026-01-03 03:04:05 +0000 UTC and is begun once more: without a lock it protects a day at a time"
        ]
    );
    assert_eq!(
        warnings(("InProgress", 30), &retained(40, true)),
        ["the retention is locked with its 30 days, and then made 40 days long"]
    );
    assert_eq!(warnings(("InProgress", 30), &retained(30, true)), [""; 0]);
    assert_eq!(
        warnings(("Locked", 30), &retained(20, true)),
        ["the retention of 30 days cannot become 20 days, because OSS only makes it longer"]
    );
}
