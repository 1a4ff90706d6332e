//! Machines whose clock is off, as a cloud sees them whose clock is.

use std::sync::{Arc, Mutex};

use jiff::{SignedDuration, Timestamp};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use trellis_runner::call::CallFailure;
use trellis_runner::call::cloud::Cloud as _;
use trellis_runner::credentials::{Accounts, CredentialSource};
use trellis_runner::document::Paging;
use trellis_runner::transport::{Options, Session};

use super::support::{call, credential, session, terms};

/// How far the time of a call may be from the cloud's.
const VALIDITY: SignedDuration = SignedDuration::from_mins(15);

/// A cloud whose clock is so far ahead of that of this machine.
struct Cloud {
    session: Session,
    ahead: Arc<Mutex<SignedDuration>>,
    /// Nonces of all calls.
    nonces: Arc<Mutex<Vec<String>>>,
}

impl Cloud {
    /// `shows` is by how much the time that it says differs from its own.
    async fn start(code: &'static str, ahead: SignedDuration, shows: Option<SignedDuration>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (ahead, nonces) = (Arc::new(Mutex::new(ahead)), Arc::default());
        let (clock, seen) = (Arc::clone(&ahead), Arc::clone(&nonces));
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let ahead = *clock.lock().unwrap();
                answer(stream, code, ahead, shows, &seen).await;
            }
        });
        let accounts = Accounts::new(CredentialSource::fixed(credential()));
        let session = session(&format!("http://{address}"), Options::default(), accounts).unwrap();
        Self { session, ahead, nonces }
    }

    async fn call(&self) -> Result<(), CallFailure> {
        self.session.change(&call("vpc", "CreateVpc", &[]), terms()).await.map(drop)
    }
}

/// Answers one request as a cloud with another clock would.
async fn answer(
    mut stream: TcpStream,
    code: &str,
    ahead: SignedDuration,
    shows: Option<SignedDuration>,
    nonces: &Mutex<Vec<String>>,
) {
    let mut request = vec![0; 8192];
    let length = stream.read(&mut request).await.unwrap();
    let request = String::from_utf8_lossy(&request[..length]).into_owned();
    let header = |name: &str| {
        let line = request.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        line.map(str::to_owned)
    };
    let now = Timestamp::now() + ahead;
    let sent: Option<Timestamp> = header("x-acs-date").map(|date| date.parse().unwrap());
    nonces.lock().unwrap().extend(header("x-acs-signature-nonce"));
    let good = sent.is_some_and(|sent| now.duration_since(sent).abs() <= VALIDITY);
    let (status, content) = match (good, sent) {
        (true, _) => ("200 OK", "{}".to_owned()),
        (false, Some(_)) => ("400 Bad Request", format!(r#"{{"Code":"{code}","Message":"It is expired."}}"#)),
        (false, None) => {
            ("403 Forbidden", format!("<Error><Code>{code}</Code><Message>It is expired.</Message></Error>"))
        }
    };
    let date = shows.map(|off| format!("date: {}\r\n", (now + off).strftime("%a, %d %b %Y %H:%M:%S GMT")));
    let head = format!(
        "x-oss-request-id: 1\r\ncontent-length: {}\r\nconnection: close\r\n{}",
        content.len(),
        date.unwrap_or_default()
    );
    stream.write_all(format!("HTTP/1.1 {status}\r\n{head}\r\n{content}").as_bytes()).await.unwrap();
}

#[tokio::test]
async fn the_cloud_corrects_a_clock_that_is_off_once() {
    for code in ["InvalidTimeStamp.Expired", "IllegalTimestamp"] {
        for ahead in [SignedDuration::from_hours(3), SignedDuration::from_hours(-3)] {
            let cloud = Cloud::start(code, ahead, Some(SignedDuration::ZERO)).await;
            cloud.call().await.unwrap();
            assert_eq!(cloud.session.sent(), 2, "it is repeated once");
            cloud.call().await.unwrap();
            cloud.call().await.unwrap();
            assert_eq!(cloud.session.sent(), 4, "later calls keep the correction");
            let mut nonces = cloud.nonces.lock().unwrap().clone();
            nonces.dedup();
            assert_eq!(nonces.len(), 4, "each has a nonce of its own");
        }
    }
}

#[tokio::test]
async fn a_clock_that_jumps_later_is_corrected_again() {
    let cloud = Cloud::start("InvalidTimeStamp.Expired", SignedDuration::ZERO, Some(SignedDuration::ZERO)).await;
    cloud.call().await.unwrap();
    assert_eq!(cloud.session.sent(), 1);
    for hours in [2, -2] {
        *cloud.ahead.lock().unwrap() = SignedDuration::from_hours(hours);
        cloud.call().await.unwrap();
    }
    assert_eq!(cloud.session.sent(), 5);
}

#[tokio::test]
async fn a_time_that_is_refused_twice_is_an_error_that_shows_how_far_the_clock_is_off() {
    let cases = [
        (Some(SignedDuration::from_hours(-2)), 2, "the clock of this machine is 1 h 0 min 0 s behind the cloud's"),
        (None, 1, "the answer does not say the time of the cloud"),
    ];
    for (shows, sent, reported) in cases {
        let cloud = Cloud::start("InvalidTimeStamp.Expired", SignedDuration::from_hours(3), shows).await;
        let failure = cloud.call().await.unwrap_err();
        assert_eq!((failure.code.as_str(), failure.ambiguous), ("InvalidTimeStamp.Expired", false), "{failure}");
        // A second may pass between the two.
        let message =
            failure.message.replace("59 min 59 s", "0 min 0 s").replace("0 h 0 min 0 s", "1 h 0 min 0 s");
        assert!(message.starts_with("It is expired; ") && message.contains(reported), "{message}");
        assert!(message.ends_with(": set the clock"), "{message}");
        assert_eq!(cloud.session.sent(), sent);
    }
}

#[tokio::test]
async fn a_request_to_oss_that_is_refused_for_its_time_shows_how_far_the_clock_is_off() {
    let ahead = SignedDuration::from_mins(90);
    let cloud = Cloud::start("RequestTimeTooSkewed", ahead, Some(SignedDuration::ZERO)).await;
    let info = call("oss", "GetBucketInfo", &[("bucket", "backups")]);
    let failure = cloud.session.query(&info, &Paging::None, terms()).await.unwrap_err();
    assert_eq!(failure.code, "RequestTimeTooSkewed");
    assert_eq!(cloud.session.sent(), 1, "a second request would have the same time");
    assert!(failure.message.contains("the clock of this machine is 1 h "), "{failure}");
}
