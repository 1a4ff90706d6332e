//! The simulator as a process: how soon it answers, how many signed calls a second, and its memory over a million.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::cast_precision_loss,
    reason = "the inputs are our own"
)]

use std::borrow::Cow;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime};

use hyper::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use trellis_simulator::cloud::{ACCESS_KEY, ACCESS_KEY_SECRET};
use trellis_simulator::signature::{Secret, acs3};

const STARTS: usize = 21;
/// Until every memory that is bounded is full.
const WARM_UP: u64 = 200_000;
const CALLS: u64 = 1_000_000;
const CONNECTIONS: usize = 4;
/// How many VPCs each call describes.
const VPCS: usize = 10;

/// A running simulator, ended with this.
struct Simulator {
    process: Child,
    address: String,
}

impl Simulator {
    fn start() -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_trellis"))
            .args(["simulate", "--listen", "127.0.0.1:0", "--delays", "none"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://").unwrap().to_owned();
        Self { process, address }
    }

    fn file(&self, name: &str) -> String {
        fs::read_to_string(format!("/proc/{}/{name}", self.process.id())).unwrap_or_default()
    }

    /// Resident pages in KiB of 4 KiB pages; Linux only.
    fn resident_kib(&self) -> u64 {
        self.file("statm")
            .split_whitespace()
            .nth(1)
            .and_then(|pages| pages.parse().ok())
            .map_or(0, |pages: u64| pages * 4)
    }

    /// Processor time, in hundredths of a second as Linux counts it.
    fn processor(&self) -> Duration {
        let stat = self.file("stat");
        let fields = stat.rsplit_once(')').map(|(_, fields)| fields).unwrap_or_default();
        let ticks =
            fields.split_whitespace().skip(11).take(2).filter_map(|ticks| ticks.parse::<u64>().ok()).sum::<u64>();
        Duration::from_millis(10 * ticks)
    }
}

impl Drop for Simulator {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A connection that calls actions one after the other.
struct Client {
    stream: BufReader<TcpStream>,
    host: String,
    secret: Secret,
}

impl Client {
    fn new(address: &str) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        Self { stream: BufReader::new(stream), host: address.to_owned(), secret: Secret::new(ACCESS_KEY_SECRET) }
    }

    fn call(&mut self, action: &str, query: &[(&str, &str)]) -> Vec<u8> {
        static NONCE: AtomicU64 = AtomicU64::new(0);
        let now = jiff::Timestamp::try_from(SystemTime::now()).unwrap();
        let mut headers = HeaderMap::new();
        for (name, value) in [
            ("host", self.host.clone()),
            ("x-acs-action", action.to_owned()),
            ("x-acs-version", "2016-04-28".to_owned()),
            ("x-acs-date", now.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()),
            ("x-acs-signature-nonce", format!("{:032x}", NONCE.fetch_add(1, Ordering::Relaxed))),
            ("x-acs-content-sha256", acs3::content_sha256(b"")),
        ] {
            headers.insert(HeaderName::from_static(name), HeaderValue::from_str(&value).unwrap());
        }
        let pairs: Vec<_> = query.iter().map(|(name, value)| (Cow::from(*name), Cow::from(*value))).collect();
        let request =
            acs3::Request { method: &hyper::Method::POST, path: "/", query: &pairs, headers: &headers, body: b"" };
        let authorization = acs3::sign(&request, ACCESS_KEY, &self.secret);
        headers.insert(AUTHORIZATION, HeaderValue::from_str(&authorization).unwrap());

        let query: Vec<_> = query.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let mut head = format!("POST /?{} HTTP/1.1\r\ncontent-length: 0\r\n", query.join("&"));
        for (name, value) in &headers {
            head.extend([name.as_str(), ": ", value.to_str().unwrap(), "\r\n"]);
        }
        head.push_str("\r\n");
        self.stream.get_mut().write_all(head.as_bytes()).unwrap();
        self.answer()
    }

    fn answer(&mut self) -> Vec<u8> {
        let mut line = String::new();
        self.stream.read_line(&mut line).unwrap();
        let status = line.clone();
        let mut length = 0;
        while line != "\r\n" {
            line.clear();
            self.stream.read_line(&mut line).unwrap();
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).unwrap();
        assert!(status.starts_with("HTTP/1.1 200"), "{status} {}", String::from_utf8_lossy(&body));
        body
    }
}

/// Makes so many calls over some connections, and says how long that took.
fn describe(address: &str, calls: u64) -> Duration {
    let left = AtomicU64::new(calls);
    let begin = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..CONNECTIONS {
            scope.spawn(|| {
                let mut client = Client::new(address);
                let take = || left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
                while take().is_ok() {
                    client.call("DescribeVpcs", &[("RegionId", "cn-shanghai")]);
                }
            });
        }
    });
    begin.elapsed()
}

fn main() {
    let mut starts: Vec<Duration> = (0..STARTS)
        .map(|_| {
            let begin = Instant::now();
            let simulator = Simulator::start();
            Client::new(&simulator.address).call("DescribeVpcs", &[("RegionId", "cn-shanghai")]);
            begin.elapsed()
        })
        .collect();
    starts.sort();
    println!("from start to the first answer: median {:.1?} of {STARTS}", starts[STARTS / 2]);

    let simulator = Simulator::start();
    let mut client = Client::new(&simulator.address);
    for _ in 0..VPCS {
        client.call("CreateVpc", &[("RegionId", "cn-shanghai")]);
    }
    describe(&simulator.address, WARM_UP);
    let (resident, processor) = (simulator.resident_kib(), simulator.processor());
    let time = describe(&simulator.address, CALLS).as_secs_f64();
    let used = simulator.processor().saturating_sub(processor).as_secs_f64();
    let calls = CALLS as f64;
    println!(
        "{CALLS} signed calls that describe {VPCS} VPCs: {:.0} a second, {:.0} a second of its one core",
        calls / time,
        calls / used
    );
    println!("resident {resident} KiB before, {} KiB after", simulator.resident_kib());
}
