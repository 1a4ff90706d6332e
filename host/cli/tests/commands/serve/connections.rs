//! How many connections there are, how long, and how they end.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use trellis_cli::page::Limits;

use super::served::{Answer, Served};

#[test]
fn what_is_no_request_is_refused() {
    let served = Served::new();
    let many = "X: y\r\n".repeat(1000);
    for (status, request) in [
        (400, "nonsense\r\n\r\n".to_owned()),
        (400, "\x16\x03\x01\x02\r\n\r\n".to_owned()),
        (400, "GET / HTTP/1.1\r\nHost : localhost\r\n\r\n".to_owned()),
        (431, format!("GET / HTTP/1.1\r\nHost: localhost\r\nCookie: {}", "x".repeat(1 << 20))),
        (431, format!("GET / HTTP/1.1\r\nHost: localhost\r\n{many}\r\n")),
    ] {
        assert_eq!(served.send(request.as_bytes()).status, status);
    }
    assert!(served.is_well());
}

#[test]
fn a_connection_serves_several_requests() {
    let served = Served::new();
    let mut stream = served.connect();
    let request = "GET /notes.txt HTTP/1.1\r\nHost: localhost\r\n";
    stream.write_all(format!("{request}\r\n{request}Connection: close\r\n\r\n").as_bytes()).unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    assert_eq!(text.matches("HTTP/1.1 200 OK").count(), 2, "{text}");
}

#[test]
fn who_does_not_finish_a_request_is_let_go() {
    let served = Served::with(Limits { patience: Duration::from_millis(500), ..Limits::default() });
    let whole = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
    for (sent, answered) in [("", false), ("GET / HT", false), ("GET / HTTP/1.1\r\nHost:", false), (whole, true)] {
        let mut stream = served.connect();
        stream.write_all(sent.as_bytes()).unwrap();
        let mut reported = Vec::new();
        // Ends without a word from here.
        let _ = stream.read_to_end(&mut reported);
        assert_eq!(reported.starts_with(b"HTTP/1.1 200"), answered, "{sent}");
    }
    assert!(served.is_well());
}

#[test]
fn who_does_not_take_an_answer_is_let_go() {
    let brief = Duration::from_millis(50);
    let served = Served::with(Limits { connections: 1, lifetime: brief, grace: brief, ..Limits::default() });
    let large = "x".repeat(64 << 20);
    served.built.write("large.txt", &large);
    let mut slow = served.connect();
    slow.write_all(b"GET /large.txt HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    // There is one place, and it is taken until then. The next one may be let go before it has asked.
    let is_answered = |_| {
        let mut next = served.connect();
        let _ = next.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        let mut reported = Vec::new();
        let _ = next.read_to_end(&mut reported);
        reported.starts_with(b"HTTP/1.1 200")
    };
    assert!((0..100).any(is_answered));
    let mut taken = Vec::new();
    let _ = slow.read_to_end(&mut taken);
    assert!(taken.len() < large.len());
}

#[test]
fn more_connections_than_there_are_places_wait_for_one() {
    let served = Served::with(Limits { connections: 4, patience: Duration::from_mins(5), ..Limits::default() });
    let mut idle: Vec<TcpStream> = (0..4)
        .map(|_| {
            let mut stream = served.connect();
            stream.write_all(b"GET /notes.txt HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
            // It has its place once it is answered.
            assert_eq!(stream.read(&mut [0]).unwrap(), 1);
            stream
        })
        .collect();
    let mut waiting = served.connect();
    waiting.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").unwrap();
    waiting.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
    assert!(waiting.read(&mut [0]).is_err(), "there is no place");
    drop(idle.pop());
    waiting.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    assert_eq!(Answer::read(&mut waiting).status, 200);
}

#[test]
fn many_browsers_are_answered_at_once() {
    let served = Served::new();
    let page = "x".repeat(1 << 20);
    served.built.write("large.txt", &page);
    let mut streams: Vec<TcpStream> = (0..300).map(|_| served.connect()).collect();
    for stream in &mut streams {
        let request = "GET /large.txt HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        stream.write_all(request.as_bytes()).unwrap();
    }
    for stream in &mut streams {
        let answer = Answer::read(stream);
        assert_eq!((answer.status, answer.body.len()), (200, page.len()));
    }
}

#[test]
fn an_answer_under_way_is_ended_before_the_server_is() {
    let mut served = Served::with(Limits { grace: Duration::from_secs(30), ..Limits::default() });
    let large = "x".repeat(64 << 20);
    served.built.write("large.txt", &large);
    let (idle, mut stream) = (served.connect(), served.connect());
    stream.write_all(b"GET /large.txt HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    let mut start = [0; 4];
    stream.read_exact(&mut start).unwrap();
    let reader = std::thread::spawn(move || {
        let mut rest = start.to_vec();
        stream.read_to_end(&mut rest).map(|_| rest)
    });
    served.stop();
    drop(idle);
    let answer = Answer::parse(&reader.join().unwrap().unwrap()).unwrap();
    assert_eq!((answer.status, answer.body.len()), (200, large.len()));
}
