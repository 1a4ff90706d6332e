//! How the program starts to serve, and how it ends.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may panic")]

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;
use trellis_cli::page::{Page, ServeError};

use super::served::{Answer, Built};

#[test]
fn a_folder_without_a_page_is_not_served() {
    let built = Built::new();
    let open = |path: &Path| Page::open(path);
    assert!(matches!(open(&built.page().join("nothing")), Err(ServeError::NoPage(_))));
    assert!(matches!(open(&built.page().join("index.html")), Err(ServeError::NoPage(_))));
    assert!(matches!(open(&built.page().join("index.html/x")), Err(ServeError::NoPage(_))));
    assert!(matches!(open(&built.page().join("assets")), Err(ServeError::NotAPage(_))));
}

/// `trellis serve`, at a port that is free unless an argument names one.
pub(crate) fn program(arguments: &[&str], page: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trellis"));
    command.arg("serve").args(arguments).arg("--page").arg(page).env_remove("TRELLIS_PAGE");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The program once it has printed where it serves, with that line.
pub(crate) struct Started {
    child: Child,
    line: String,
}

impl Started {
    pub(crate) fn new(command: &mut Command) -> Self {
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        Self { child, line }
    }

    pub(crate) fn address(&self) -> SocketAddr {
        let address = self.line.strip_prefix("http://").and_then(|rest| rest.strip_suffix("/\n"));
        address.unwrap_or_else(|| panic!("{:?}", self.line)).parse().unwrap()
    }

    fn status(&self) -> u16 {
        let mut stream = TcpStream::connect(self.address()).unwrap();
        let request = format!("GET / HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.address());
        stream.write_all(request.as_bytes()).unwrap();
        Answer::read(&mut stream).status
    }

    /// Asks it to end: what it said besides, and its exit code.
    #[cfg(unix)]
    fn end(mut self, signal: &str) -> (String, Option<i32>) {
        let sent = Command::new("kill").args(["-s", signal, &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let mut rest = String::new();
        self.child.stdout.take().unwrap().read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "", "there is one line");
        let mut reported = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut reported).unwrap();
        (reported, self.child.wait().unwrap().code())
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(unix)]
#[test]
fn the_program_shows_its_address_and_serves_until_it_is_asked_to_stop() {
    let built = Built::new();
    for signal in ["INT", "TERM"] {
        let started = Started::new(&mut program(&["--listen", "127.0.0.1:0"], &built.page()));
        assert_ne!(started.address().port(), 0);
        assert_eq!(started.status(), 200);
        // Who is connected and says nothing, or takes its time, keeps it from nothing.
        let (idle, mut slow) =
            (TcpStream::connect(started.address()).unwrap(), TcpStream::connect(started.address()).unwrap());
        slow.write_all(b"GET / HT").unwrap();
        let (reported, code) = started.end(signal);
        assert_eq!(code, Some(0), "{reported}");
        assert_eq!(reported, format!("serving the page in `{}` until Ctrl-C; open\n", built.page().display()));
        drop((idle, slow));
    }
}

#[cfg(unix)]
#[test]
fn a_reader_who_goes_after_the_address_is_no_trouble() {
    let built = Built::new();
    let mut started = Started::new(&mut program(&["--listen", "127.0.0.1:0"], &built.page()));
    drop(started.child.stdout.take());
    assert_eq!(started.status(), 200);
}

#[test]
fn the_page_is_the_one_that_is_named_or_the_one_next_to_the_program() {
    let (built, other) = (Built::new(), Built::new());
    let place = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let copy = place.path().join("trellis");
    // A copy could still be open for writing in a child that another test starts, and would not run.
    fs::hard_link(env!("CARGO_BIN_EXE_trellis"), &copy).unwrap();
    let run = |variable: &Path, arguments: &[&str]| {
        let mut command = Command::new(&copy);
        command.args(["serve", "--listen", "127.0.0.1:0"]).args(arguments).env("TRELLIS_PAGE", variable);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    };
    let nowhere = run(Path::new(""), &[]).output().unwrap();
    assert_eq!(nowhere.status.code(), Some(2));
    let reported = String::from_utf8(nowhere.stderr).unwrap();
    assert!(reported.starts_with("error: there is no page: there is no folder `"), "{reported}");
    assert!(reported.contains("`--page DIR`") && reported.contains("`make build`"), "{reported}");

    assert_eq!(Started::new(&mut run(&built.page(), &[])).status(), 200);
    let named = other.page().display().to_string();
    assert_eq!(Started::new(&mut run(Path::new("/nothing"), &["--page", &named])).status(), 200);

    fs::create_dir(place.path().join("page")).unwrap();
    let empty = run(Path::new(""), &[]).output().unwrap();
    let reported = String::from_utf8(empty.stderr).unwrap();
    assert!(
        reported.contains("is not a page: it has no file `index.html`") && reported.contains("help: "),
        "{reported}"
    );
    fs::copy(built.page().join("index.html"), place.path().join("page/index.html")).unwrap();
    assert_eq!(Started::new(&mut run(Path::new(""), &[])).status(), 200);
}

#[test]
fn a_port_that_is_taken_is_said_with_a_way_out() {
    let built = Built::new();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let output = program(&["--listen", &address], &built.page()).output().unwrap();
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(2), [].as_slice()));
    let reported = String::from_utf8(output.stderr).unwrap();
    assert!(reported.starts_with(&format!("error: another program already listens at `{address}`")), "{reported}");
    assert!(reported.contains("`--listen 127.0.0.1:0`"), "{reported}");
}

#[test]
fn other_machines_are_not_let_in() {
    let built = Built::new();
    for (address, words) in [
        ("0.0.0.0:0", "the page has no login"),
        ("[::]:0", "the page has no login"),
        ("192.0.2.1:80", "the page has no login"),
        ("localhost", "such as `127.0.0.1:8750`"),
        ("8750", "such as `127.0.0.1:8750`"),
    ] {
        let output = program(&["--listen", address], &built.page()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{address}");
        let reported = String::from_utf8(output.stderr).unwrap();
        assert!(reported.contains(words), "{reported}");
    }
}
