//! What a connection says, in every way in which HTTP lets it.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "the requests are our own")]

use crate::served::Served;
use crate::support::{Answer, Client, object, own, rpc, rpc_head, rpc_with};

const REGION: (&str, &str) = ("RegionId", "cn-shanghai");

fn code(answer: &Answer) -> String {
    answer.json()["Code"].as_str().unwrap().to_owned()
}

#[test]
fn requests_that_come_together_are_answered_in_their_order() {
    let served = Served::new();
    let mut client = served.client();
    client.send(&[rpc("CreateVpc", &[REGION]), rpc("DescribeVpcs", &[REGION]), rpc("Fly", &[])].concat());
    let answers = [client.answer(), client.answer(), client.answer()];
    assert_eq!(answers.each_ref().map(|answer| answer.status), [200, 200, 404]);
    assert_eq!(answers[1].json()["TotalCount"], 1);
    assert_eq!(code(&answers[2]), "InvalidAction.NotFound");
}

#[test]
fn a_request_may_come_byte_by_byte() {
    let served = Served::new();
    let mut client = served.client();
    for byte in rpc_with("POST", "CreateVpc", &[REGION], b"RegionId=cn-shanghai") {
        client.send(&[byte]);
    }
    assert_eq!(client.answer().status, 200);
}

#[test]
fn bodies_may_come_in_chunks() {
    let served = Served::new();
    let mut client = served.client();
    for form in [&b"RegionId=cn-shanghai&VpcName=one"[..], b"RegionId=cn-shanghai"] {
        client.send(&rpc_head("POST", "CreateVpc", &[REGION], form));
        client.send(b"transfer-encoding: chunked\r\n\r\n");
        for chunk in form.chunks(7) {
            client
                .send(format!("{:x};extension\r\n{}\r\n", chunk.len(), str::from_utf8(chunk).unwrap()).as_bytes());
        }
        client.send(b"0\r\ntrailer: 1\r\n\r\n");
        assert_eq!(client.answer().status, 200);
    }
    assert_eq!(served.vpcs(), 2);
}

#[test]
fn a_length_that_is_wrong_has_no_effect() {
    let served = Served::new();
    let form = b"RegionId=cn-shanghai";
    let head =
        |lines: &str| [&rpc_head("POST", "CreateVpc", &[REGION], form), lines.as_bytes(), b"\r\n", form].concat();
    for lines in [
        "content-length: -1\r\n",
        "content-length: +20\r\n",
        "content-length: 99999999999999999999\r\n",
        "content-length: 20\r\ncontent-length: 21\r\n",
        "content-length: a\r\n",
        "transfer-encoding: gzip\r\n",
        "transfer-encoding: chunked\r\n",
        "content-length: 5\r\n",
    ] {
        let answer = served.ask(&head(lines));
        assert!((400..=413).contains(&answer.status), "{lines}: {answer:?}");
    }
    // The client says that there is more, and goes.
    let mut short = served.client();
    short.send(&head("content-length: 21\r\n"));
    drop(short);
    assert!(served.is_well());
    assert_eq!(served.vpcs(), 0);
    // What is too much is the next request, and no good one.
    let mut long = served.client();
    assert_eq!(
        long.ask(&[head("content-length: 20\r\n"), b"\x00\x01 rest\r\n\r\n".to_vec()].concat()).status,
        200
    );
    assert_eq!(long.answer().status, 400);
    assert_eq!(long.end().unwrap(), b"");
    assert_eq!(served.vpcs(), 1);
}

#[test]
fn what_is_no_http_harms_nothing() {
    let served = Served::new();
    for text in [
        &b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"[..],
        b"\r\n\r\n\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET http://[::1 HTTP/1.1\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"\x00\x00\x00\x00 / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nbad header\r\n\r\n",
        b"CONNECT example.com:443 HTTP/1.1\r\n\r\n",
        b"OPTIONS * HTTP/1.1\r\nhost: a\r\n\r\n",
        b"TRACE / HTTP/1.1\r\nhost: a\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost: a\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost: a\r\nexpect: magic\r\n\r\n",
    ] {
        let mut client = served.client();
        client.send(text);
        drop(client);
        assert!(served.is_well(), "{}", text.escape_ascii());
    }
}

#[test]
fn the_older_http_is_spoken() {
    let served = Served::new();
    let call = String::from_utf8(rpc("DescribeVpcs", &[REGION])).unwrap().replace("HTTP/1.1", "HTTP/1.0");
    let mut client = served.client();
    let answer = client.ask(call.as_bytes());
    assert_eq!(answer.status, 200);
    assert_eq!(client.end().unwrap(), b"", "it is closed");
    assert_eq!(served.ask(b"GET /_simulator/health HTTP/1.0\r\n\r\n").status, 200);
}

#[test]
fn who_asks_whether_to_go_on_is_answered() {
    let served = Served::new();
    let form = b"RegionId=cn-shanghai";
    let mut client = served.client();
    client.send(&rpc_head("POST", "CreateVpc", &[REGION], form));
    client.send(b"expect: 100-continue\r\ncontent-length: 20\r\n\r\n");
    assert_eq!(client.answer_to_head().status, 100);
    assert_eq!(client.ask(form).status, 200);
    client.send(&rpc_head("POST", "CreateVpc", &[REGION], form));
    client.send(b"expect: 100-continue\r\ncontent-length: 99999999\r\n\r\n");
    assert_eq!(client.answer().status, 413, "not before what is too large is sent");
}

#[test]
fn actions_are_asked_for_with_two_methods_alone() {
    let served = Served::new();
    for method in ["PUT", "DELETE", "PATCH", "OPTIONS"] {
        let answer = served.ask(&rpc_with(method, "CreateVpc", &[REGION], b""));
        assert_eq!((answer.status, &*code(&answer)), (403, "UnsupportedHTTPMethod"), "{method}");
    }
    let mut client = served.client();
    client.send(&rpc_with("HEAD", "CreateVpc", &[REGION], b""));
    assert_eq!(client.answer_to_head().status, 403);
    // There was no body: what comes next is the next answer.
    assert_eq!(client.ask(&rpc_with("GET", "DescribeVpcs", &[REGION], b"")).status, 200);
    assert_eq!(served.vpcs(), 0);
}

#[test]
fn heads_of_objects_have_no_body() {
    let served = Served::new();
    let mut client = served.client();
    client.ask(&object("PUT", "/bucket-one", b""));
    client.ask(&object("PUT", "/bucket-one/object", b"content"));
    client.send(&object("HEAD", "/bucket-one/object", b""));
    let head = client.answer_to_head();
    assert_eq!((head.status, head.headers["content-length"].as_str()), (200, "7"));
    client.send(&object("HEAD", "/bucket-one/nothing", b""));
    assert_eq!(client.answer_to_head().status, 404);
    assert_eq!(client.ask(&object("GET", "/bucket-one/object", b"")).body, b"content");
}

#[test]
fn a_client_that_is_gone_before_it_has_said_all_has_said_nothing() {
    let served = Served::new();
    let call = rpc_with("POST", "CreateVpc", &[REGION], b"RegionId=cn-shanghai");
    let put = object("PUT", "/bucket-one/object", &vec![b'a'; 100_000]);
    served.ask(&object("PUT", "/bucket-one", b""));
    for (request, sent) in [(&call, 4), (&call, call.len() / 2), (&call, call.len() - 1), (&put, put.len() - 1)] {
        let mut client = served.client();
        client.send(&request[..sent]);
        drop(client);
    }
    assert_eq!(served.vpcs(), 0);
    assert_eq!(served.ask(&object("GET", "/bucket-one/object", b"")).status, 404);
    // Nobody has asked for anything.
    assert_eq!(served.own("GET", "calls/counts", "")["actions"]["vpc:CreateVpc"], serde_json::Value::Null);
}

#[test]
fn pages_of_other_sites_reach_nothing_of_the_own_api() {
    let served = Served::new();
    let foreign = |headers: &[&str]| served.ask(&own("POST", "reset", "", headers));
    served.ask(&rpc("CreateVpc", &[REGION]));
    for headers in [
        &["origin: http://evil.example", "sec-fetch-site: cross-site"][..],
        &["origin: null"],
        &["sec-fetch-site: same-site"],
    ] {
        let answer = foreign(headers);
        assert_eq!(answer.status, 403, "{headers:?}");
        assert!(!answer.headers.contains_key("access-control-allow-origin"), "{headers:?}");
    }
    let rebound = b"POST /_simulator/reset HTTP/1.1\r\nhost: evil.example:8751\r\ncontent-length: 0\r\n\r\n";
    assert_eq!(served.ask(rebound).status, 403);
    let form = b"POST /_simulator/reset HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: text/plain\r\n\
                 content-length: 2\r\n\r\n{}";
    assert_eq!(served.ask(form).status, 415);
    let preflight = b"OPTIONS /_simulator/reset HTTP/1.1\r\nhost: 127.0.0.1\r\norigin: http://evil.example\r\n\
                      access-control-request-method: POST\r\n\r\n";
    assert_eq!(served.ask(preflight).status, 403);
    assert_eq!(served.vpcs(), 1);
    assert_eq!(foreign(&[]).status, 200);
    assert_eq!(served.vpcs(), 0);
}

#[test]
fn many_clients_at_once_lose_nothing() {
    let served = Served::new();
    std::thread::scope(|scope| {
        for client in 0..8 {
            let served = &served;
            scope.spawn(move || {
                let mut connection: Client = served.client();
                for number in 0..20 {
                    let cidr = format!("10.{}.0.0/16", client * 20 + number);
                    let answer =
                        connection.ask(&rpc("CreateVpc", &[REGION, ("CidrBlock", &cidr.replace('/', "%2F"))]));
                    assert!(matches!(answer.status, 200 | 400), "{}", answer.text());
                }
            });
        }
    });
    let counts = served.own("GET", "calls/counts", "");
    assert_eq!(counts["actions"]["vpc:CreateVpc"]["calls"], 160);
    assert_eq!(counts["actions"]["vpc:CreateVpc"]["effects"], served.vpcs());
}
