//! A page, a server of it, and what it answers.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may panic")]

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::thread::JoinHandle;
use std::time::Duration;

use tempfile::TempDir;
use tokio::sync::oneshot;
use trellis_cli::page::{Limits, Page, Server};

/// A folder as the page's build leaves it, next to a file that is nobody's business.
pub(crate) struct Built(TempDir);

const SECRET: &str = "nobody's business";

impl Built {
    pub(crate) fn new() -> Self {
        let place = TempDir::new().unwrap();
        fs::write(place.path().join("secret.txt"), SECRET).unwrap();
        let built = Self(place);
        for (name, text) in [
            ("index.html", "<!doctype html>"),
            ("index.html.br", "brotli of the page"),
            ("examples/one.yaml", "kind: Shoot"),
            ("icon.svg", "<svg/>"),
            ("font.woff2", "font"),
            ("report.json", "{}"),
            ("notes.txt", "é"),
            ("empty.css", ""),
            ("odd.unheard", "?"),
            (".hidden", SECRET),
            (".git/config", SECRET),
            ("assets/page-1a2b.js", "let plain = 1"),
            ("assets/page-1a2b.js.br", "brotli"),
            ("assets/page-1a2b.js.gz", "gzipped"),
            ("assets/page-1a2b.css", "a {}"),
            ("assets/page-1a2b.css.gz", "gzipped"),
            ("assets/alicloud-1a2b.wasm", "\0asm"),
        ] {
            built.write(name, text);
        }
        built
    }

    pub(crate) fn page(&self) -> PathBuf {
        self.0.path().join("page")
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let file = self.page().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
}

/// A server on a thread of its own, until it is dropped.
pub(crate) struct Served {
    pub(crate) address: SocketAddr,
    pub(crate) built: Built,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Served {
    pub(crate) fn new() -> Self {
        Self::with(Limits::default())
    }

    pub(crate) fn with(limits: Limits) -> Self {
        let built = Built::new();
        let page = Page::open(&built.page()).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let server = runtime.block_on(Server::bind("127.0.0.1:0".parse().unwrap(), &page, limits)).unwrap();
        let (stop, stopped) = oneshot::channel();
        let address = server.address();
        let thread = std::thread::spawn(move || {
            runtime.block_on(server.run(async {
                let _ = stopped.await;
            }));
        });
        Self { address, built, stop: Some(stop), thread: Some(thread) }
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        // Only so that what hangs fails.
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        stream
    }

    /// Sends bytes and reads until the server closes.
    pub(crate) fn send(&self, request: &[u8]) -> Answer {
        let mut stream = self.connect();
        // Who refuses early may have closed already.
        let _ = stream.write_all(request);
        Answer::read(&mut stream)
    }

    /// Asks for a path on a connection of its own, with more headers.
    pub(crate) fn ask(&self, method: &str, path: &str, headers: &[&str]) -> Answer {
        let host = format!("Host: {}", self.address);
        let lines = [&[&*format!("{method} {path} HTTP/1.1"), &*host, "Connection: close"], headers, &["\r\n"]];
        self.send(lines.concat().join("\r\n").as_bytes())
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, &[])
    }

    /// Whether the page is still served.
    pub(crate) fn is_well(&self) -> bool {
        self.get("/").status == 200
    }

    pub(crate) fn stop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Status, headers in lower case, and body.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn read(stream: &mut TcpStream) -> Self {
        let mut bytes = Vec::new();
        // A connection that is reset has said what it said.
        let _ = stream.read_to_end(&mut bytes);
        Self::parse(&bytes).unwrap_or_else(|| panic!("no answer: {:?}", String::from_utf8_lossy(&bytes)))
    }

    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
        let (head, body) = bytes.split_at_checked(end + 4)?;
        let head = std::str::from_utf8(head).ok()?;
        let mut lines = head.trim_end().split("\r\n");
        let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
        let mut headers = BTreeMap::new();
        for line in lines {
            let (name, value) = line.split_once(": ")?;
            let twice = headers.insert(name.to_ascii_lowercase(), value.to_owned());
            assert_eq!(twice, None, "{name} is there twice");
        }
        Some(Self { status, headers, body: body.to_owned() })
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }
}
