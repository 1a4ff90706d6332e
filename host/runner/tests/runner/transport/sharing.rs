//! What runs of a process share, what each has for itself, and what a host does not allow.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tokio::sync::watch;
use tokio::time::Instant;
use trellis_runner::call::cloud::Cloud as _;
use trellis_runner::call::failure::{NO_CREDENTIALS, NOT_ALLOWED, PERMIT_ENDED, THROTTLED, TIMEOUT};
use trellis_runner::credentials::{Accounts, CredentialError, CredentialSource};
use trellis_runner::document::Paging;
use trellis_runner::limits::lease::lease;
use trellis_runner::limits::permit::{Permit, Terms};
use trellis_runner::limits::stop::{Stop, stop};
use trellis_runner::transport::alicloud::{AccessKey, Alicloud};
use trellis_runner::transport::family::Family as _;
use trellis_runner::transport::{AllowedCalls, Endpoint, Limit, Options, Rate, Session, Wire};
use trellis_simulator::cloud::{ACCESS_KEY, ACCESS_KEY_SECRET};

use super::support::{Client, REGION, Simulator, call, credential, pass, still_time, terms};

const SECOND: Duration = Duration::from_secs(1);

fn over(wire: &Wire, simulator: &Simulator, accounts: Accounts, allowed_calls: AllowedCalls) -> Client {
    let endpoint = Endpoint::Url(simulator.url.parse().unwrap());
    Client(Session::new(Arc::new(Alicloud), wire, endpoint, REGION, accounts, allowed_calls).unwrap())
}

fn fixed() -> Accounts {
    Accounts::new(CredentialSource::fixed(credential()))
}

#[tokio::test]
async fn sessions_share_connections_and_count_for_themselves() {
    let (one, other) = (Simulator::start().await, Simulator::start().await);
    let wire = Wire::new(Options::default());
    for _ in 0..3 {
        let session = over(&wire, &one, fixed(), AllowedCalls::all());
        session.call("vpc", "DescribeVpcs", &[]).await;
        session.failure("vpc", "DeleteVpc", &[("VpcId", "vpc-gone")]).await;
        let tally = session.0.tally();
        assert_eq!(session.0.sent(), 2);
        assert_eq!(tally.requests["vpc:DescribeVpcs"], [(String::new(), 1)].into());
        assert_eq!(tally.requests["vpc:DeleteVpc"], [("InvalidVpcId.NotFound".to_owned(), 1)].into());
    }
    assert_eq!(one.peers().len(), 1);
    // The wire leads to other clouds, too.
    over(&wire, &other, fixed(), AllowedCalls::all()).call("vpc", "DescribeVpcs", &[]).await;
    assert_eq!(other.called(), ["DescribeVpcs"]);
}

#[tokio::test]
async fn sessions_of_one_account_share_the_pace_of_an_action() {
    let _time = still_time();
    let simulator = Simulator::start().await;
    let wire = Wire::new(Options { rate: Rate { burst: 1, per_second: 1 }, ..Options::default() });
    let (one, other) = [(); 2].map(|()| over(&wire, &simulator, fixed(), AllowedCalls::all())).into();
    one.call("vpc", "DescribeVpcs", &[]).await;
    let soon = Terms { deadline: Instant::now() + SECOND / 2, ..terms() };
    assert!(other.0.change(&call("vpc", "DescribeVpcs", &[]), soon).await.is_err());
    other.0.change(&call("vpc", "DescribeVSwitches", &[]), soon).await.unwrap();
    tokio::join!(other.call("vpc", "DescribeVpcs", &[]), pass(SECOND));
    let tally = other.0.tally();
    assert_eq!(tally.waits, 1);
    assert!(tally.waited >= 1_000, "{tally:?}");
}

#[tokio::test]
async fn what_the_operator_does_not_allow_is_never_sent() {
    let simulator = Simulator::start().await;
    let wire = Wire::new(Options::default());
    let session = over(&wire, &simulator, fixed(), AllowedCalls::of("alicloud"));
    let elsewhere = [("RegionId", "cn-hangzhou")];
    for (service, action, parameters) in [
        ("ecs", "StopInstance", &[][..]),
        ("ram", "CreateAccessKey", &[]),
        ("vpc", "DescribeVpcs", &elsewhere),
        ("vpc", "CreateVpc", &elsewhere),
    ] {
        let asked = call(service, action, parameters);
        for failure in [
            session.0.change(&asked, terms()).await.unwrap_err(),
            session.0.query(&asked, &Paging::None, terms()).await.unwrap_err(),
            session.0.identity(&asked, "/AccountId", terms()).await.unwrap_err(),
        ] {
            assert_eq!((failure.code.as_str(), failure.ambiguous), (NOT_ALLOWED, false), "{failure}");
            assert!(failure.message.contains("operator"), "{failure}");
        }
    }
    let mut theirs = call("vpc", "DescribeVpcs", &[]);
    theirs.account = Some("someone".to_owned());
    assert_eq!(session.0.change(&theirs, terms()).await.unwrap_err().code, NOT_ALLOWED);
    let mut owner = call("ecs", "ModifyImageSharePermission", &[]);
    owner.account = Some("imageOwner".to_owned());
    assert_eq!(session.0.change(&owner, terms()).await.unwrap_err().code, NO_CREDENTIALS);
    assert_eq!(simulator.called(), [""; 0]);
    session.call("vpc", "DescribeVpcs", &[]).await;
    let allowed = AllowedCalls::of("alicloud").with_host("127.0.0.1");
    over(&wire, &simulator, fixed(), allowed).call("vpc", "DescribeVpcs", &elsewhere).await;
}

#[tokio::test]
async fn credentials_of_a_watch_change_go_and_come_again() {
    let simulator = Simulator::start().await;
    let good = || Ok(credential());
    let (watched, receiver) = watch::channel(good());
    let wire = Wire::new(Options::default());
    let accounts = Accounts::new(CredentialSource::watched(receiver));
    let session = over(&wire, &simulator, accounts, AllowedCalls::all());
    session.call("vpc", "DescribeVpcs", &[]).await;
    drop(watched.send_replace(Ok(Arc::new(AccessKey::new(ACCESS_KEY, "wrong")))));
    assert_eq!(session.failure("vpc", "DescribeVpcs", &[]).await.code, "SignatureDoesNotMatch");
    let missing =
        CredentialError::Missing { place: "Secret shoot--dev--a/cloudprovider".to_owned(), key: "accessKeyID" };
    drop(watched.send_replace(Err(Arc::new(missing))));
    let failure = session.failure("vpc", "DescribeVpcs", &[]).await;
    assert_eq!(failure.code, NO_CREDENTIALS);
    assert!(failure.message.contains("accessKeyID") && !failure.message.contains(ACCESS_KEY_SECRET), "{failure}");
    drop(watched.send_replace(good()));
    session.call("vpc", "DescribeVpcs", &[]).await;
}

#[tokio::test]
async fn a_call_that_waits_for_its_turn_is_not_sent_after_a_stop() {
    let _time = still_time();
    let simulator = Simulator::start().await;
    let wire = Wire::new(Options { rate: Rate { burst: 1, per_second: 1 }, ..Options::default() });
    let session = over(&wire, &simulator, fixed(), AllowedCalls::all());
    session.call("vpc", "DescribeVpcs", &[]).await;
    simulator.fault("vpc:CreateVpc", 1, &json!({ "kind": "throttle", "retryAfter": 600 }));
    session.failure("vpc", "CreateVpc", &[("CidrBlock", "10.0.0.0/8")]).await;
    let sent = simulator.called().len();
    let (stopper, stop) = stop();
    let permit = Permit { stop, ..Permit::unlimited() };
    let terms = Terms { deadline: Instant::now() + Duration::from_hours(1), permit: &permit };
    let (describe, create) = (call("vpc", "DescribeVpcs", &[]), call("vpc", "CreateVpc", &[]));
    // By then all three wait, because they come first; the turns of all come with the time that passes.
    let stopping = async {
        stopper.stop(Stop::Gracefully);
        pass(600 * SECOND).await;
    };
    // One waits for the pace, one behind that one, one for what the cloud asks for.
    let (one, behind, asked, ()) = tokio::join!(
        session.0.change(&describe, terms),
        session.0.change(&describe, terms),
        session.0.change(&create, terms),
        stopping
    );
    for failure in [one, behind, asked].map(Result::unwrap_err) {
        assert_eq!((failure.code.as_str(), failure.ambiguous), (PERMIT_ENDED, false), "{failure}");
    }
    assert_eq!(simulator.called().len(), sent);
}

#[tokio::test]
async fn a_change_is_not_sent_where_the_lease_ends_too_soon_and_a_read_is() {
    let _time = still_time();
    let simulator = Simulator::start().await;
    let session = over(&Wire::new(Options::default()), &simulator, fixed(), AllowedCalls::all());
    let (_lease, lease_signal) = lease(Instant::now() + 2 * SECOND);
    let permit = Permit { lease_signal, ..Permit::unlimited() };
    let terms = Terms { deadline: Instant::now() + Duration::from_mins(1), permit: &permit };
    session.0.query(&call("vpc", "DescribeVpcs", &[]), &Paging::None, terms).await.unwrap();
    let create = call("vpc", "CreateVpc", &[("CidrBlock", "10.0.0.0/8")]);
    let (created, ()) = tokio::join!(session.0.change(&create, terms), pass(2 * SECOND));
    let failure = created.unwrap_err();
    assert_eq!((failure.code.as_str(), failure.ambiguous), (PERMIT_ENDED, false), "{failure}");
    assert_eq!(simulator.called(), ["DescribeVpcs"]);
}

#[tokio::test]
async fn an_access_key_makes_so_many_calls_of_a_service_and_no_call_waits_for_longer() {
    let _time = still_time();
    let simulator = Simulator::start().await;
    let wire = Wire::new(Options::default());
    let (one, other) = [(); 2].map(|()| over(&wire, &simulator, fixed(), AllowedCalls::all())).into();
    let (domains, records) =
        (call("alidns", "DescribeDomains", &[]), call("alidns", "DescribeDomainRecords", &[]));
    // Time goes in jumps, each of which lets one call go, whatever its action: three have their turns within the two
    // seconds of the wait.
    let passing = async {
        for _ in 0..4 {
            pass(99 * SECOND / 100).await;
        }
    };
    let (first, second, third, fourth, ()) = tokio::join!(
        one.query(&domains, Paging::None),
        other.query(&domains, Paging::None),
        one.query(&domains, Paging::None),
        other.query(&records, Paging::None),
        passing
    );
    for answer in [first, second, third] {
        answer.unwrap();
    }
    let failure = fourth.unwrap_err();
    assert_eq!((failure.code.as_str(), failure.ambiguous), (THROTTLED, false), "{failure}");
    assert!(failure.message.contains("at most 25 calls of `alidns` a second"), "{failure}");
    assert_eq!(simulator.called(), ["DescribeDomains"; 3]);
    // Other services have no such limit.
    for _ in 0..3 {
        one.call("vpc", "DescribeVpcs", &[]).await;
    }
    // A run whose time is over sooner is late.
    let soon = Terms { deadline: Instant::now() + SECOND / 50, ..terms() };
    one.query(&domains, Paging::None).await.unwrap();
    assert_eq!(one.0.query(&domains, &Paging::None, soon).await.unwrap_err().code, TIMEOUT);
}

#[test]
fn dns_has_the_limit_of_the_existing_extension() {
    let limit = |service| Alicloud.limit(&call(service, "Any", &[]));
    let rate = Rate { burst: 1, per_second: 25 };
    assert_eq!(limit("alidns"), Some(Limit { rate, wait: 2 * SECOND }));
    assert_eq!((limit("vpc"), limit("oss"), limit("nothing")), (None, None, None));
}

#[tokio::test]
async fn a_process_may_have_another_limit() {
    let _time = still_time();
    let simulator = Simulator::start().await;
    let limit = Limit { rate: Rate { burst: 2, per_second: 1 }, wait: SECOND / 2 };
    let wire = Wire::new(Options { limit: Some(limit), ..Options::default() });
    let session = over(&wire, &simulator, fixed(), AllowedCalls::all());
    let domains = call("alidns", "DescribeDomains", &[]);
    for _ in 0..2 {
        session.query(&domains, Paging::None).await.unwrap();
    }
    let failure = session.query(&domains, Paging::None).await.unwrap_err();
    assert!(failure.message.contains("at most 1 calls of `alidns` a second"), "{failure}");
    // A service without a limit of its own has none now.
    for _ in 0..3 {
        session.call("vpc", "DescribeVpcs", &[]).await;
    }
}
