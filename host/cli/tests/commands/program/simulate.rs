//! `trellis simulate` as a process: what it says, how it ends, what it keeps.

#![cfg(unix)]
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "the inputs are our own")]

#[path = "../../../../../simulator/tests/support/mod.rs"]
mod support;

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use serde_json::{Value, json};
use tempfile::TempDir;

use support::{Client, object, own, rpc};

const REGION: (&str, &str) = ("RegionId", "cn-shanghai");

/// `trellis simulate`, at a port that is free unless an argument names one.
fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trellis"));
    command.arg("simulate").args(arguments);
    if !arguments.contains(&"--listen") {
        command.args(["--listen", "127.0.0.1:0"]);
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The program once it has printed its address.
struct Simulator {
    child: Child,
    url: String,
}

impl Simulator {
    fn new(arguments: &[&str]) -> Self {
        Self::run(program(arguments))
    }

    fn run(mut command: Command) -> Self {
        let mut child = command.spawn().unwrap();
        let mut url = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut url).unwrap();
        assert!(!url.is_empty(), "it says no address: {}", child.stderr.as_mut().map(rest).unwrap_or_default());
        Self { child, url: url.trim_end().to_owned() }
    }

    fn address(&self) -> SocketAddr {
        self.url.split_once("://").unwrap().1.parse().unwrap()
    }

    fn client(&self) -> Client {
        Client::connect(self.address())
    }

    fn own(&self, method: &str, path: &str, body: &str) -> Value {
        let answer = self.client().ask(&own(method, path, body, &[]));
        assert_eq!(answer.status, 200, "{method} {path}: {}", answer.text());
        answer.json()
    }

    fn create_vpc(&self) -> String {
        let answer = self.client().ask(&rpc("CreateVpc", &[REGION]));
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()["VpcId"].as_str().unwrap().to_owned()
    }

    fn vpcs(&self) -> Vec<(String, String)> {
        let answer = self.client().ask(&rpc("DescribeVpcs", &[REGION])).json();
        let vpcs = answer.pointer("/Vpcs/Vpc").and_then(Value::as_array).unwrap();
        let text = |vpc: &Value, field: &str| vpc[field].as_str().unwrap().to_owned();
        vpcs.iter().map(|vpc| (text(vpc, "VpcId"), text(vpc, "Status"))).collect()
    }

    /// Sends it a signal: what it said, but for its address, and its exit code.
    fn end(mut self, signal: &str) -> (String, Option<i32>) {
        let sent = Command::new("kill").args(["-s", signal, &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        assert_eq!(rest(self.child.stdout.as_mut().unwrap()), "", "there is one line");
        (rest(self.child.stderr.as_mut().unwrap()), self.child.wait().unwrap().code())
    }
}

impl Drop for Simulator {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn rest(stream: &mut impl std::io::Read) -> String {
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

/// What it says when it does not start.
fn refused(arguments: &[&str]) -> String {
    let output = program(arguments).output().unwrap();
    let reported = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        (output.status.code(), output.stdout.as_slice()),
        (Some(2), [].as_slice()),
        "{arguments:?}: {reported}"
    );
    reported
}

fn folder() -> TempDir {
    TempDir::new().unwrap()
}

fn path(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).display().to_string()
}

fn mode(path: &str) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn it_shows_its_address_and_ends_when_it_is_asked_to() {
    for signal in ["INT", "TERM"] {
        let simulator = Simulator::new(&[]);
        assert!(simulator.url.starts_with("http://127.0.0.1:"), "{}", simulator.url);
        assert_eq!(simulator.own("GET", "health", "")["status"], "ok");
        // Who is connected and says nothing keeps it from nothing, nor does a call that is held.
        let silent = TcpStream::connect(simulator.address()).unwrap();
        simulator.own("POST", "faults", r#"{"action": "*", "fault": {"kind": "timeout", "when": "after"}}"#);
        let mut waits = simulator.client();
        waits.send(&rpc("CreateVpc", &[REGION]));
        support::until("the call is met", || simulator.own("GET", "faults/1", "")["hits"] == 1);
        let (reported, code) = simulator.end(signal);
        assert_eq!(code, Some(0), "{reported}");
        assert!(reported.starts_with("simulating Alibaba Cloud until Ctrl-C"), "{reported}");
        drop((silent, waits));
    }
}

#[test]
fn bad_options_are_refused_with_a_way_out() {
    let folder = folder();
    let file = |name: &str, text: &str| {
        fs::write(folder.path().join(name), text).unwrap();
        path(&folder, name)
    };
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = taken.local_addr().unwrap().to_string();
    let (nothing, broken) = (path(&folder, "nothing"), file("broken", r#"{"accounts": [{"id": 1}]}"#));
    let empty = file("empty", r#"{"accounts": []}"#);
    let twice = file(
        "twice",
        r#"{"accounts": [{"id": "1", "accessKeys": [{"id": "k", "secret": "hush"}, {"id": "k", "secret": "hush"}]}]}"#,
    );
    let foreign = file("foreign", "{}\n");
    let newer = file("newer", r#"{"format": "trellis-simulator-state", "version": 99}"#);
    let nowhere = path(&folder, "no/where");
    for (arguments, words) in [
        (&["--listen", taken.as_str()][..], &["already listens at `127.0.0.1:", "`--listen 127.0.0.1:0`"][..]),
        (&["--listen", "0.0.0.0:0"], &["other machines reach `0.0.0.0:0`", "`--allow-remote`"]),
        (&["--listen", "[::]:0"], &["other machines reach `[::]:0`"]),
        (&["--listen", "here"], &["invalid value 'here' for '--listen <ADDRESS>'"]),
        (&["--region", "mars"], &["there is no region `mars`"]),
        (&["--accounts", &nothing], &["cannot read the accounts in `", "nothing`: No such file"]),
        (&["--accounts", &broken], &["does not declare accounts: invalid type", "help: write {\"accounts\""]),
        (&["--accounts", &empty], &["no account is declared"]),
        (&["--accounts", &twice], &["access key `k` is declared twice"]),
        (&["--state", &foreign], &["`", "foreign` is no state file of the simulator"]),
        (&["--state", &newer], &["has format version 99, and this simulator knows version 1 alone"]),
        (&["--state", &nowhere], &["cannot use state file `"]),
        (&["--record", &foreign], &["foreign` exists already"]),
        (&["--record", &nowhere], &["cannot write the session to `"]),
        (&["--replay", &nothing], &["nothing`: cannot read the session"]),
        (&["--replay", &foreign], &["foreign`: ", "line 1: "]),
        (&["--authority", &nothing], &["--tls"]),
        (&["--tls", "--authority", &nowhere], &["cannot write the authority's certificate to `"]),
        (&["--clock", "-1"], &["the rate of the clock must be from 0 to 1000000"]),
        (&["--clock", "1e9"], &["the rate of the clock must be from 0 to 1000000"]),
        (&["--clock", "NaN"], &["the rate of the clock must be from 0 to 1000000"]),
        (&["--lag", "-1"], &["a time must be from 0 to 1000000000 seconds"]),
        (&["--throttle", "20"], &["write calls, a slash and seconds, such as `20/1`"]),
        (&["--throttle", "0/1"], &["such as `20/1`"]),
        (&["--delays", "some"], &["[possible values: cloud, none]"]),
    ] {
        let reported = refused(arguments);
        for word in words {
            assert!(reported.contains(word), "{arguments:?}: {reported}");
        }
        assert!(!reported.contains("hush"), "{reported}");
    }
    assert_eq!(fs::read_to_string(&foreign).unwrap(), "{}\n");
    assert!(fs::read_to_string(&newer).unwrap().ends_with("99}"));
    assert!(!Path::new(&nothing).exists());
}

#[test]
fn a_broken_session_names_its_line() {
    let folder = folder();
    let session = path(&folder, "session.jsonl");
    let simulator = Simulator::new(&["--record", &session]);
    simulator.create_vpc();
    simulator.create_vpc();
    assert_eq!(simulator.end("TERM").1, Some(0));
    assert_eq!(mode(&session), 0o600);
    let text = fs::read_to_string(&session).unwrap();
    let broken = path(&folder, "broken.jsonl");
    fs::write(&broken, text.replacen("CreateVpc", "CreateMoon", 2).replacen("CreateMoon", "CreateVpc", 1))
        .unwrap();
    let reported = refused(&["--replay", &broken]);
    assert!(reported.contains("broken.jsonl`: line 3: `vpc` has no action `CreateMoon`"), "{reported}");
    // What another simulator did not end to write is left out.
    fs::write(&broken, text.lines().take(3).collect::<Vec<_>>().join("\n").trim_end_matches('}')).unwrap();
    let simulator = Simulator::new(&["--replay", &broken, "--clock", "0"]);
    assert_eq!(simulator.vpcs().len(), 1);
    let (reported, _) = simulator.end("TERM");
    assert!(
        reported.contains("replayed 1 changes\nline 3 of the session is cut short, and was left out"),
        "{reported}"
    );
}

#[test]
fn a_session_makes_the_same_world_again() {
    let folder = folder();
    let session = path(&folder, "session.jsonl");
    let simulator = Simulator::new(&["--record", &session, "--delays", "none"]);
    let id = simulator.create_vpc();
    simulator.create_vpc();
    simulator.client().ask(&object("PUT", "/bucket-one", b""));
    simulator.client().ask(&object("PUT", "/bucket-one/object", b"content"));
    simulator.client().ask(&rpc("DeleteVpc", &[REGION, ("VpcId", &id)]));
    let inventory = simulator.own("GET", "inventory", "");
    assert_eq!(simulator.end("TERM").1, Some(0));
    let again = Simulator::new(&["--replay", &session, "--clock", "0"]);
    assert_eq!(again.own("GET", "inventory", ""), inventory);
    assert_eq!(again.client().ask(&object("GET", "/bucket-one/object", b"")).text(), "content");
}

#[test]
fn its_state_outlives_it_however_it_ends() {
    let folder = folder();
    let state = path(&folder, "state.json");
    let arguments = ["--state", state.as_str(), "--delays", "none"];
    let mut ids = Vec::new();
    for signal in ["KILL", "KILL", "TERM"] {
        let simulator = Simulator::new(&arguments);
        ids.push(simulator.create_vpc());
        assert_eq!(mode(&state), 0o600);
        let locked = refused(&arguments);
        assert!(locked.contains("is in use by another simulator"), "{locked}");
        simulator.end(signal);
    }
    let simulator = Simulator::new(&arguments);
    let found: Vec<String> = simulator.vpcs().into_iter().map(|(id, _)| id).collect();
    assert_eq!(found, ids);
    let (reported, code) = simulator.end("INT");
    assert_eq!(code, Some(0));
    assert!(reported.starts_with("going on with the world in `"), "{reported}");
}

#[test]
fn a_clock_that_stands_still_is_stepped() {
    let simulator = Simulator::new(&["--clock", "0"]);
    let id = simulator.create_vpc();
    assert_eq!(simulator.vpcs(), [(id.clone(), "Pending".to_owned())]);
    let before = simulator.own("GET", "clock", "");
    assert_eq!(simulator.own("GET", "clock", ""), before);
    simulator.own("POST", "clock/step", &json!({ "seconds": 60 }).to_string());
    assert_eq!(simulator.vpcs(), [(id, "Available".to_owned())]);
}

#[test]
fn tls_is_trusted_by_the_authority_that_it_writes() {
    let folder = folder();
    let authority = path(&folder, "authority.pem");
    let simulator = Simulator::new(&["--tls", "--authority", &authority]);
    assert!(simulator.url.starts_with("https://127.0.0.1:"), "{}", simulator.url);
    // Who speaks no TLS is not answered, and does no harm.
    for text in [&b"GET /_simulator/health HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"[..], b"\x16\x03\x01\xff\xff", b""]
    {
        let mut plain = simulator.client();
        plain.send(text);
        if !text.is_empty() && !text.starts_with(b"\x16") {
            let reported = plain.end().unwrap_or_default();
            assert!(!reported.starts_with(b"HTTP"), "{}", reported.escape_ascii());
        }
    }

    let connect = |roots: &rustls::RootCertStore, name: &'static str| {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = rustls::ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots.clone())
            .with_no_client_auth();
        let connection = rustls::ClientConnection::new(Arc::new(config), name.try_into().unwrap()).unwrap();
        let stream = rustls::StreamOwned::new(connection, TcpStream::connect(simulator.address()).unwrap());
        Client(BufReader::new(stream))
    };
    let mut roots = rustls::RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(&authority).unwrap()).unwrap();
    for name in ["127.0.0.1", "localhost", "vpc.aliyuncs.com", "oss-cn-shanghai.aliyuncs.com"] {
        let mut client = connect(&roots, name);
        assert_eq!(client.ask(&rpc("DescribeVpcs", &[REGION])).status, 200, "{name}");
    }
    let strange = std::panic::catch_unwind(|| connect(&roots, "example.com").ask(&rpc("DescribeVpcs", &[REGION])));
    assert!(strange.is_err(), "the certificate is for its own names alone");
    assert_eq!(simulator.end("TERM").1, Some(0));
}

#[test]
fn a_thousand_clients_are_answered_at_once() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    // This process has their other ends.
    let files = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: files.maximum, ..files }).unwrap();
    let program = env!("CARGO_BIN_EXE_trellis");
    let mut command = Command::new("sh");
    // As systems have it where nothing else is said.
    command.args(["-c", "ulimit -Sn 1024 && exec \"$0\" simulate --listen 127.0.0.1:0", program]);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let simulator = Simulator::run(command);
    let mut clients: Vec<Client> = (0..1100).map(|_| simulator.client()).collect();
    for client in &mut clients {
        client.send(&rpc("DescribeVpcs", &[REGION]));
    }
    for client in &mut clients {
        assert_eq!(client.answer().status, 200);
    }
    // They are all there still.
    for client in &mut clients {
        client.send(&own("GET", "health", "", &[]));
    }
    for client in &mut clients {
        assert_eq!(client.answer().status, 200);
    }
}

#[test]
fn a_body_larger_than_any_object_is_refused() {
    let simulator = Simulator::new(&[]);
    simulator.client().ask(&object("PUT", "/bucket-one", b""));
    let large = vec![b'a'; 65 << 20];
    let request = object("PUT", "/bucket-one/object", &large);
    // The simulator answers before it has read the body, and a client that goes on to write may lose the answer.
    let answer = simulator.client().ask(&request[..request.len() - large.len()]);
    assert_eq!(answer.status, 413);
    let reported = "<Code>EntityTooLarge</Code><Message>the body must have at most 67108864 bytes</Message>";
    assert!(answer.text().contains(reported), "{}", answer.text());
    assert_eq!(simulator.own("GET", "health", "")["status"], "ok");
}

#[test]
fn accounts_are_those_of_the_file() {
    let folder = folder();
    let accounts = path(&folder, "accounts.json");
    fs::write(&accounts, r#"{"accounts": [{"id": "7", "accessKeys": [{"id": "key", "secret": "hush"}]}]}"#)
        .unwrap();
    let simulator = Simulator::new(&["--accounts", &accounts]);
    let answer = simulator.client().ask(&rpc("DescribeVpcs", &[REGION]));
    assert_eq!((answer.status, &answer.json()["Code"]), (404, &json!("InvalidAccessKeyId.NotFound")));
    let (reported, _) = simulator.end("TERM");
    assert!(!reported.contains("hush") && !reported.contains("secret"), "{reported}");
}
