//! What is too slow, too large or too much.

use std::net::TcpStream;
use std::time::Duration;

use serde_json::json;
use trellis_simulator::server::{Certificate, Limits};

use crate::served::Served;
use crate::support::{Client, object, object_head, own, rpc, rpc_head, rpc_with};

const SOON: Duration = Duration::from_millis(200);
const NEVER: Duration = Duration::from_hours(1);

/// There is one connection, and who comes next waits until it ends.
fn one(limits: Limits) -> Limits {
    Limits { connections: 1, ..limits }
}

#[test]
fn who_says_nothing_or_only_begins_is_not_waited_for() {
    let served = Served::with(one(Limits { patience: SOON, ..Limits::default() }));
    for text in ["", "P", "POST / HTTP/1.1\r\nhost: ", "POST / HTTP/1.1\r\nhost: 127.0.0.1\r\n"] {
        let mut slow = served.client();
        slow.send(text.as_bytes());
        assert!(served.is_well(), "{text}");
        drop(slow);
    }
}

#[test]
fn who_has_no_more_to_ask_is_not_waited_for() {
    let served = Served::with(one(Limits { patience: SOON, ..Limits::default() }));
    let mut idle = served.client();
    assert_eq!(idle.ask(&own("GET", "health", "", &[])).status, 200);
    assert!(served.is_well());
    assert_eq!(idle.end().unwrap(), b"", "it is closed in peace");
}

#[test]
fn a_body_that_does_not_come_is_refused() {
    let served = Served::with(one(Limits { upload: SOON, ..Limits::default() }));
    for end in ["content-length: 10\r\n\r\nA=1", "transfer-encoding: chunked\r\n\r\n3\r\nA=1\r\n"] {
        let mut slow = served.client();
        slow.send(&rpc_head("POST", "CreateVpc", &[], b""));
        slow.send(end.as_bytes());
        let answer = slow.answer();
        let reported = answer.json();
        assert_eq!((answer.status, &reported["Code"]), (408, &json!("RequestTimeout")), "{end}");
        assert_eq!(reported["Message"], "the body did not come in time", "{end}");
        assert_eq!(slow.end().unwrap(), b"", "{end}");
    }
    assert_eq!(served.vpcs(), 0);
}

#[test]
fn who_does_not_read_the_answer_is_not_waited_for() {
    let served = Served::with(one(Limits { patience: SOON, ..Limits::default() }));
    served.ask(&object("PUT", "/bucket-one", b""));
    assert_eq!(served.ask(&object("PUT", "/bucket-one/large", &vec![b'a'; 32 << 20])).status, 200);
    let mut slow = served.client();
    slow.send(&object("GET", "/bucket-one/large", b""));
    assert!(served.is_well());
    drop(slow);
}

#[test]
fn who_sends_a_large_body_slowly_keeps_no_small_one_waiting() {
    let limits = Limits { upload: NEVER, receiving: 1 << 20, grace: SOON, ..Limits::default() };
    let served = Served::with(limits);
    let mut slow = served.client();
    slow.send(&object_head("PUT", "/bucket-one/large"));
    slow.send(b"content-length: 1048576\r\n\r\n");
    // It has its places before others come.
    slow.send(&[b'a'; 1000]);
    assert!(served.is_well());
    let form = rpc_with("POST", "CreateVpc", &[("RegionId", "cn-shanghai")], b"VpcName=one");
    assert_eq!(served.ask(&form).status, 200);
}

#[test]
fn large_bodies_are_taken_as_far_as_the_limits_go() {
    let served = Served::new();
    assert_eq!(served.ask(&object("PUT", "/bucket-one", b"")).status, 200);
    let large: Vec<u8> = (0..10 << 20).map(|number: u32| number.to_le_bytes()[1]).collect();
    let mut client = served.client();
    assert_eq!(client.ask(&object("PUT", "/bucket-one/large", &large)).status, 200);
    assert!(client.ask(&object("GET", "/bucket-one/large", b"")).body == large);
    // The connection goes on where the whole body was read.
    let padded = [b"RegionId=cn-shanghai&Description=".as_slice(), &vec![b'a'; 3 << 20]].concat();
    let answer = client.ask(&rpc_with("POST", "CreateVpc", &[], &padded));
    assert_eq!(answer.status, 400, "{}", answer.text());
    assert!(served.is_well());
}

#[test]
fn a_body_that_is_too_large_is_refused_to_who_sends_it_whole() {
    let limits = Limits { body: 1 << 16, object: 1 << 18, grace: NEVER, ..Limits::default() };
    let served = Served::with(limits);
    let large = vec![b'a'; 8 << 20];
    for (request, reported) in [
        (
            rpc_with("POST", "CreateVpc", &[], &large),
            [r#""Code":"EntityTooLarge""#, r#""Message":"the body must have at most 65536 bytes""#],
        ),
        (
            object("PUT", "/bucket-one/large", &large),
            ["<Code>EntityTooLarge</Code>", "<Message>the body must have at most 262144 bytes</Message>"],
        ),
        (
            own("POST", "faults", std::str::from_utf8(&large).unwrap(), &[]),
            [r#""code":"EntityTooLarge""#, r#""message":"the body must have at most 65536 bytes""#],
        ),
    ] {
        // The answer is read after all is sent.
        let mut client = served.client();
        let answer = client.ask(&request);
        assert_eq!(answer.status, 413);
        assert!(reported.iter().all(|part| answer.text().contains(part)), "{}", answer.text());
        drop(client);
    }
    let mut chunked = served.client();
    chunked.send(&rpc_head("POST", "CreateVpc", &[], b""));
    chunked.send(b"transfer-encoding: chunked\r\n\r\n");
    for _ in 0..3 {
        chunked.send(format!("8000\r\n{}\r\n", "a".repeat(0x8000)).as_bytes());
    }
    assert_eq!(chunked.answer().status, 413);
}

#[test]
fn heads_have_a_limit() {
    let served = Served::with(Limits { head: 16 << 10, ..Limits::default() });
    let long = "a".repeat(40 << 10);
    for request in [
        format!("GET /?{long} HTTP/1.1\r\nhost: a\r\n\r\n"),
        format!("GET / HTTP/1.1\r\nhost: a\r\nx-long: {long}\r\n\r\n"),
        format!("GET / HTTP/1.1\r\nhost: a\r\n{}\r\n", "x-many: 1\r\n".repeat(1000)),
    ] {
        let status = served.ask(request.as_bytes()).status;
        assert!(matches!(status, 414 | 431), "{status}");
    }
    assert!(served.is_well());
}

#[test]
fn more_connections_than_there_may_be_wait() {
    let served = Served::with(Limits { connections: 3, ..Limits::default() });
    let mut clients: Vec<Client> = (0..12).map(|_| served.client()).collect();
    for client in &mut clients {
        client.send(&rpc("DescribeVpcs", &[("RegionId", "cn-shanghai")]));
    }
    for mut client in clients {
        assert_eq!(client.answer().status, 200);
    }
}

#[test]
fn open_connections_do_not_keep_the_server_from_ending() {
    let limits = Limits { patience: NEVER, upload: NEVER, grace: SOON, ..Limits::default() };
    let certificate = Certificate::make().unwrap();
    for certificate in [None, Some(&certificate)] {
        let served = Served::start(limits, certificate);
        let silent = TcpStream::connect(served.address).unwrap();
        let mut slow = served.client();
        slow.send(b"POST / HTTP/1.1\r\n");
        drop(served);
        drop((silent, slow));
    }
}
