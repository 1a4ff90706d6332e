use std::sync::Arc;

use serde_json::{Value, json};
use tracing::{Instrument as _, debug, error, info, info_span, warn};

use super::*;

/// Keeps what is written.
#[derive(Clone, Default)]
struct LogBuffer(Arc<Mutex<Vec<u8>>>);

impl Write for LogBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The log of some events.
fn log(level: Level, format: Format, events: impl FnOnce()) -> String {
    let kept = LogBuffer::default();
    tracing::subscriber::with_default(subscriber(level, format, kept.clone(), None), events);
    String::from_utf8(std::mem::take(&mut *kept.0.lock().unwrap())).unwrap()
}

fn objects(log: &str) -> Vec<Value> {
    log.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_line_of_a_reconcile_names_its_object() {
    let log = log(Level::Info, Format::Json, || {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let reconcile = |name: &'static str| {
            let span = info_span!("reconcile", kind = "Infrastructure", namespace = "shoot--a--b", name, step = 0);
            async move {
                info!("begins");
                tokio::task::yield_now().await;
                tracing::Span::current().record("step", 2);
                async { warn!(code = "Throttling", "waits") }
                    .instrument(info_span!("call", action = "CreateVpc"))
                    .await;
            }
            .instrument(span)
        };
        runtime.block_on(async { tokio::join!(reconcile("one"), reconcile("two")) });
    });
    let objects = objects(&log);
    assert_eq!(objects.len(), 4);
    for name in ["one", "two"] {
        let of_name: Vec<_> = objects.iter().filter(|object| object["name"] == name).collect();
        assert_eq!(of_name.len(), 2, "{log}");
        for object in &of_name {
            assert_eq!((&object["kind"], &object["namespace"]), (&json!("Infrastructure"), &json!("shoot--a--b")));
        }
        let expected = json!({
            "level": "warn", "ts": of_name[1]["ts"], "logger": "trellis_kubernetes::controller::process::logging::tests", "msg": "waits",
            "kind": "Infrastructure", "namespace": "shoot--a--b", "name": name, "step": 2,
            "action": "CreateVpc", "code": "Throttling",
        });
        assert_eq!(of_name[1], &expected);
        of_name[1]["ts"].as_str().unwrap().parse::<Timestamp>().unwrap();
    }
    assert!(log.starts_with("{\"level\":\"info\",\"ts\":\"20"), "{log}");
}

#[test]
fn texts_cannot_break_out_of_a_line() {
    let evil = "a\nb\r\u{1b}[31m\u{9b}2J\u{7f}\u{2028}\u{202e}\"c";
    let events = || info!(evil, shown = %evil, reported = ?evil, "{evil}");
    for format in [Format::Json, Format::Text] {
        let log = log(Level::Info, format, events);
        assert!(log.ends_with('\n') && log.lines().count() == 1, "{log:?}");
        let line = log.trim_end_matches('\n');
        assert!(!line.chars().any(|char| char.is_control() || "\u{2028}\u{202e}".contains(char)), "{line:?}");
    }
    let log = log(Level::Info, Format::Json, events);
    assert_eq!(objects(&log)[0]["msg"], "a\nb\r\u{1b}[31mU+009B2JU+007FU+2028U+202E\"c");
}

#[test]
fn a_line_for_people_reads_well() {
    let log = log(Level::Debug, Format::Text, || {
        let _span = info_span!("reconcile", kind = "Infrastructure", name = "a b").entered();
        debug!(tries = 3, empty = "", "asked the policy");
    });
    let (time, rest) = log.split_once(' ').unwrap();
    time.parse::<Timestamp>().unwrap();
    let logger = "trellis_kubernetes::controller::process::logging::tests";
    let expected =
        format!("DEBUG {logger}: asked the policy kind=Infrastructure name=\"a b\" tries=3 empty=\"\"\n");
    assert_eq!(rest, expected);
}

#[test]
fn no_field_takes_the_place_of_what_each_line_has() {
    let log = log(Level::Info, Format::Json, || error!(level = "mild", msg = 1, r#type = "a", "real"));
    let object = &objects(&log)[0];
    assert_eq!(
        (&object["level"], &object["msg"], &object["type"]),
        (&json!("error"), &json!("real"), &json!("a"))
    );
    assert_eq!((&object["field.level"], &object["field.msg"]), (&json!("mild"), &json!(1)));
}

#[test]
fn the_level_counts_and_libraries_are_quiet_below_debug() {
    let events = || {
        error!("own");
        info!("own");
        debug!("own");
        error!(target: "kube_client::client", "library that writes whole answers");
        error!(target: "hyper::client", "library");
        warn!(target: "tower::buffer", "library");
        info!(target: "tower::buffer", "library");
        debug!(target: "rustls::client", "library");
    };
    for (level, own, library) in
        [(Level::Error, "e", "e"), (Level::Info, "ei", "ew"), (Level::Debug, "eid", "ewid")]
    {
        let log = log(level, Format::Json, events);
        let levels = |message: &str| -> String {
            let objects = objects(&log).into_iter().filter(|object| object["msg"] == message);
            objects.map(|object| object["level"].as_str().unwrap()[..1].to_owned()).collect()
        };
        assert_eq!(levels("library that writes whole answers"), "");
        assert_eq!((levels("own").as_str(), levels("library").as_str()), (own, library), "{level:?}");
    }
}

#[test]
fn flags_are_read_and_refused_with_the_words_of_the_ecosystem() {
    assert_eq!("info".parse(), Ok(Level::Info));
    assert_eq!("debug".parse(), Ok(Level::Debug));
    assert_eq!("error".parse(), Ok(Level::Error));
    assert_eq!("json".parse(), Ok(Format::Json));
    assert_eq!("text".parse(), Ok(Format::Text));
    assert_eq!("loud".parse::<Level>().unwrap_err().to_string(), "invalid --log-level: loud");
    assert_eq!("INFO".parse::<Format>().unwrap_err().to_string(), "invalid --log-format: INFO");
}
