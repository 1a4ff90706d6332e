//! What is answered to a request, and what is not.

use super::served::{Answer, Served};

#[test]
fn the_page_and_its_files_are_served_with_their_types() {
    let served = Served::new();
    for (path, content_type, text) in [
        ("/", "text/html; charset=utf-8", "<!doctype html>"),
        ("/index.html", "text/html; charset=utf-8", "<!doctype html>"),
        ("/?state=1", "text/html; charset=utf-8", "<!doctype html>"),
        ("/assets/page-1a2b.js", "text/javascript; charset=utf-8", "let plain = 1"),
        ("/assets/page-1a2b.css", "text/css; charset=utf-8", "a {}"),
        ("/assets/alicloud-1a2b.wasm", "application/wasm", "\0asm"),
        ("/examples/one.yaml", "application/yaml", "kind: Shoot"),
        ("/examples/%6Fne.yaml", "application/yaml", "kind: Shoot"),
        ("/icon.svg", "image/svg+xml", "<svg/>"),
        ("/font.woff2", "font/woff2", "font"),
        ("/report.json", "application/json", "{}"),
        ("/notes.txt", "text/plain; charset=utf-8", "é"),
        ("/empty.css", "text/css; charset=utf-8", ""),
        ("/odd.unheard", "application/octet-stream", "?"),
    ] {
        let answer = served.get(path);
        assert_eq!((answer.status, answer.text()), (200, text), "{path}");
        assert_eq!(answer.header("content-type"), content_type, "{path}");
        assert_eq!(answer.header("content-length"), text.len().to_string(), "{path}");
    }
}

#[test]
fn every_answer_has_the_headers_that_keep_the_page_safe() {
    let served = Served::new();
    let not_here = "GET / HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\n\r\n";
    let first = served.get("/");
    let validator = format!("If-None-Match: {}", first.header("etag"));
    let answers = [
        (200, first),
        (200, served.get("/assets/page-1a2b.js")),
        (206, served.ask("GET", "/notes.txt", &["Range: bytes=0-0"])),
        (304, served.ask("GET", "/", &[&validator])),
        (404, served.get("/nothing")),
        (405, served.ask("POST", "/", &[])),
        (416, served.ask("GET", "/notes.txt", &["Range: bytes=9-"])),
        (421, served.send(not_here.as_bytes())),
    ];
    for (status, answer) in answers {
        assert_eq!(answer.status, status);
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("server-timing", "trellis"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
            ("vary", "accept-encoding"),
            (
                "content-security-policy",
                "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; \
                 worker-src 'self'; connect-src 'self'; img-src 'self' data:; font-src 'self'; object-src 'none'; \
                 base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            ),
        ] {
            assert_eq!(answer.header(name), value, "{name} of {status}");
        }
        assert_eq!(answer.headers.get("access-control-allow-origin"), None);
    }
}

#[test]
fn files_that_are_named_by_their_content_are_kept_and_all_else_is_asked_for_again() {
    let served = Served::new();
    let kept = "public, max-age=31536000, immutable";
    let script = served.get("/assets/page-1a2b.js");
    let validator = format!("If-None-Match: {}", script.header("etag"));
    assert_eq!(script.header("cache-control"), kept);
    assert_eq!(served.ask("GET", "/assets/page-1a2b.js", &[&validator]).header("cache-control"), kept);
    // What is not there may be there after the next build.
    for path in ["/", "/index.html", "/report.json", "/assets/page-old.js", "/assets/", "/assets"] {
        assert_eq!(served.get(path).header("cache-control"), "no-cache", "{path}");
    }
}

#[test]
fn a_file_is_sent_again_only_once_it_has_changed() {
    let served = Served::new();
    let first = served.get("/");
    let by_tag = format!("If-None-Match: {}", first.header("etag"));
    let by_time = format!("If-Modified-Since: {}", first.header("last-modified"));
    for condition in [&by_tag, &by_time] {
        let again = served.ask("GET", "/", &[condition]);
        assert_eq!((again.status, again.text()), (304, ""), "{condition}");
        assert_eq!(again.header("etag"), first.header("etag"));
        assert_eq!(again.header("cache-control"), "no-cache");
    }
    // The compressed page is another representation.
    assert_eq!(served.ask("GET", "/", &[&by_tag, "Accept-Encoding: br"]).status, 200);
    served.built.write("index.html", "<!doctype html>anew");
    let changed = served.ask("GET", "/", &[&by_tag]);
    assert_eq!((changed.status, changed.text()), (200, "<!doctype html>anew"));
}

#[test]
fn browsers_get_the_smallest_form_that_they_take() {
    let served = Served::new();
    let (script, style, page) = ("/assets/page-1a2b.js", "/assets/page-1a2b.css", "/");
    for (path, accepted, encoding, text) in [
        (script, "gzip, deflate, br, zstd", "br", "brotli"),
        (script, "br;q=0.5, gzip;q=0.5", "br", "brotli"),
        (script, "gzip", "gzip", "gzipped"),
        (script, "gzip, br;q=0", "gzip", "gzipped"),
        (script, "deflate, zstd", "", "let plain = 1"),
        (script, "identity", "", "let plain = 1"),
        (script, "", "", "let plain = 1"),
        (script, "nonsense;;q=x, br;q=9", "", "let plain = 1"),
        (style, "br", "", "a {}"),
        (style, "br, gzip", "gzip", "gzipped"),
        (page, "br", "br", "brotli of the page"),
    ] {
        let answer = served.ask("GET", path, &[&format!("Accept-Encoding: {accepted}")]);
        assert_eq!((answer.header("content-encoding"), answer.text()), (encoding, text), "{path} {accepted}");
        assert_eq!(answer.header("vary"), "accept-encoding");
        let plain = served.get(path);
        assert_eq!(answer.header("content-type"), plain.header("content-type"), "{path} {accepted}");
    }
}

#[test]
fn a_head_is_that_of_the_file_without_the_file() {
    let served = Served::new();
    for (path, headers) in
        [("/", [].as_slice()), ("/assets/page-1a2b.js", &["Accept-Encoding: br"]), ("/nothing", &[])]
    {
        let (get, head) = (served.ask("GET", path, headers), served.ask("HEAD", path, headers));
        assert_eq!((head.status, head.text()), (get.status, ""), "{path}");
        let without_date = |answer: &Answer| {
            let mut headers = answer.headers.clone();
            headers.remove("date");
            headers
        };
        assert_eq!(without_date(&head), without_date(&get), "{path}");
    }
    assert_eq!(served.ask("HEAD", "/notes.txt", &["Range: bytes=0-0"]).status, 200, "ranges are for GET");
}

#[test]
fn part_of_a_file_is_sent_to_who_asks_for_it() {
    let served = Served::new();
    let file = "/assets/page-1a2b.js";
    let part = served.ask("GET", file, &["Range: bytes=4-8"]);
    assert_eq!((part.status, part.text(), part.header("content-range")), (206, "plain", "bytes 4-8/13"));
    assert_eq!(served.ask("GET", file, &["Range: bytes=99-"]).status, 416);
    for headers in [
        ["Range: bytes=0-1,3-4", "Accept: */*"].as_slice(),
        &["Range: bytes=4-8", "If-Range: \"of another build\""],
    ] {
        let whole = served.ask("GET", file, headers);
        assert_eq!((whole.status, whole.text()), (200, "let plain = 1"), "{headers:?}");
    }
}

#[test]
fn only_get_and_head_are_answered() {
    let served = Served::new();
    for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND"] {
        let answer = served.ask(method, "/", &["Content-Length: 0"]);
        assert_eq!((answer.status, answer.header("allow")), (405, "GET,HEAD"), "{method}");
    }
    let host = served.address;
    let connect = format!("CONNECT {host} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    assert_eq!(served.send(connect.as_bytes()).status, 405);
    // A body is neither waited for nor read.
    let announced = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000000\r\n\r\n";
    assert_eq!(served.send(announced.as_bytes()).status, 405);
    let expected = "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n";
    assert_eq!(served.send(expected.as_bytes()).status, 200);
}

#[test]
fn who_asks_by_another_name_learns_that_it_is_not_here() {
    let served = Served::new();
    let send = |head: String| served.send(format!("{head}\r\nConnection: close\r\n\r\n").as_bytes());
    let port = served.address.port();
    for host in ["localhost", &format!("localhost:{port}"), "127.0.0.1:1", "[::1]:8750", "LOCALHOST"] {
        assert_eq!(send(format!("GET / HTTP/1.1\r\nHost: {host}")).status, 200, "{host}");
    }
    for host in
        ["example.org", &format!("rebind.example.org:{port}"), "192.168.0.1", "0.0.0.0", "localhost.x", "é", ""]
    {
        let answer = send(format!("GET /assets/page-1a2b.js HTTP/1.1\r\nHost: {host}"));
        assert_eq!(answer.status, 421, "{host}");
        assert_eq!(answer.header("cache-control"), "no-cache");
        assert!(answer.text().starts_with("This server answers to `localhost`"), "{}", answer.text());
    }
    // The target of a request counts more than its `Host`.
    assert_eq!(send("GET http://example.org/ HTTP/1.1\r\nHost: localhost".to_owned()).status, 421);
    assert_eq!(send("GET http://localhost/ HTTP/1.1\r\nHost: example.org".to_owned()).status, 421);
    assert_eq!(send("GET http://localhost/ HTTP/1.1\r\nHost: localhost".to_owned()).status, 200);
    assert_eq!(send("GET / HTTP/1.1\r\nHost: localhost\r\nHost: example.org".to_owned()).status, 400);
    assert_eq!(send("GET / HTTP/1.1".to_owned()).status, 400);
    assert_eq!(send("GET / HTTP/1.0".to_owned()).status, 400);
}

#[test]
fn what_is_not_in_the_page_is_not_found() {
    let served = Served::new();
    let long = format!("/{}", "x".repeat(5000));
    for path in [
        "/nothing",
        "/nothing/",
        "/index.html/",
        "/index.html/x",
        "/assets",
        "/assets/",
        "//assets",
        "//example.org/%2e%2e",
        "/../secret.txt",
        "/assets/../../secret.txt",
        "/assets/../index.html",
        "/%2e%2e/secret.txt",
        "/%2E%2E%2Fsecret.txt",
        "/..%2fsecret.txt",
        "/%252e%252e/secret.txt",
        "/..%5csecret.txt",
        "/..\\secret.txt",
        "/....//secret.txt",
        "/index.html%00",
        "/%00",
        "/index.html%00.js",
        "/%ff%fe",
        "/.hidden",
        "/%2ehidden",
        "/.git/config",
        "/assets/./../.hidden",
        "/etc/passwd",
        "//etc/passwd",
        &long,
    ] {
        let answer = served.get(path);
        assert_eq!((answer.status, answer.text()), (404, "There is no such file in the page.\n"), "{path}");
        assert_eq!(answer.header("content-type"), "text/plain; charset=utf-8");
        assert_eq!(answer.header("location"), "");
        assert_eq!(served.ask("HEAD", path, &["Accept-Encoding: br, gzip"]).status, 404, "{path}");
    }
    assert!(served.is_well());
}

#[cfg(unix)]
#[test]
fn links_lead_nowhere_outside_and_pipes_keep_nobody_waiting() {
    use std::os::unix::fs::symlink;
    use std::process::Command;

    let served = Served::new();
    let page = served.built.page();
    symlink("../secret.txt", page.join("link.txt")).unwrap();
    symlink("..", page.join("up")).unwrap();
    symlink("loop", page.join("loop")).unwrap();
    symlink(".hidden", page.join("seen")).unwrap();
    symlink("../secret.txt", page.join("notes.txt.br")).unwrap();
    symlink("notes.txt", page.join("inside.txt")).unwrap();
    assert!(Command::new("mkfifo").arg(page.join("pipe")).status().unwrap().success());
    for path in ["/link.txt", "/up/secret.txt", "/up/page/.hidden", "/loop", "/loop/x", "/seen", "/pipe"] {
        assert_eq!(served.get(path).status, 404, "{path}");
        assert_eq!(served.ask("HEAD", path, &[]).status, 404, "{path}");
    }
    assert_eq!(served.ask("GET", "/notes.txt", &["Accept-Encoding: br"]).text(), "é");
    assert_eq!(served.get("/inside.txt").text(), "é");
    assert_eq!(served.get("/up/page/notes.txt").text(), "é", "it is in the page after all");
}
