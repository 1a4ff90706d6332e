//! Replays a recorded session.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;
use serde::de::DeserializeOwned;

use super::session::{EffectiveCall, Event, FORMAT, Line, Start, VERSION};
use super::{Clock, Cloud, Operation};
use crate::action::Run;
use crate::file::read_line;
use crate::service::SERVICES;

/// Most bytes of a line, which may hold a whole world.
const MOST: u64 = 48 << 20;

/// A session that was replayed.
#[derive(Debug)]
pub struct Replay {
    /// The cloud as it was at the end of the session. Its clock stands still.
    pub cloud: Cloud,
    /// How many events there were.
    pub events: usize,
    /// The number of the last line, where it was cut short and left out.
    pub cut: Option<usize>,
}

/// Why a session cannot be replayed.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The file cannot be read.
    #[error("cannot read the session: {0}")]
    Io(#[from] io::Error),
    /// The file is empty.
    #[error("the session is empty: its first line is missing or cut short")]
    Empty,
    /// The file is something else.
    #[error("line 1: this is no session of the simulator: {0}")]
    Foreign(String),
    /// The session is of another version.
    #[error("line 1: the session has format version {0}, and this simulator knows version {VERSION} alone")]
    Version(u32),
    /// A line is broken.
    #[error("line {line}: {reason}")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
}

/// The fields that the first line has in every version of the format.
#[derive(serde::Deserialize)]
struct Head {
    format: String,
    version: u32,
}

/// Replays a recorded session, each event at its time.
pub fn replay(path: &Path) -> Result<Replay, ReplayError> {
    read(BufReader::new(File::open(path)?))
}

fn read(mut input: impl BufRead) -> Result<Replay, ReplayError> {
    let mut text = Vec::new();
    read_line(&mut input, &mut text, MOST)?;
    if !text.ends_with(b"\n") {
        return Err(ReplayError::Empty);
    }
    let start = start(&text)?;
    let cloud = Cloud::new(start.world, Clock::still(start.time), start.settings);
    let mut replay = Replay { cloud, events: 0, cut: None };
    for number in 2.. {
        read_line(&mut input, &mut text, MOST)?;
        if text.is_empty() {
            break;
        }
        let line: Line = match json(&text) {
            Ok(line) => line,
            // A simulator that was killed while it wrote has left the last line without its end.
            Err(_) if !text.ends_with(b"\n") => {
                replay.cut = Some(number);
                break;
            }
            Err(reason) => return Err(ReplayError::Line { line: number, reason }),
        };
        replay.cloud.relive(line).map_err(|reason| ReplayError::Line { line: number, reason })?;
        replay.events += 1;
    }
    Ok(replay)
}

fn start(text: &[u8]) -> Result<Start, ReplayError> {
    let head: Head = json(text).map_err(ReplayError::Foreign)?;
    if head.format != FORMAT {
        return Err(ReplayError::Foreign(format!("its format is `{}`", head.format)));
    }
    if head.version != VERSION {
        return Err(ReplayError::Version(head.version));
    }
    json(text).map_err(ReplayError::Foreign)
}

fn json<T: DeserializeOwned>(text: &[u8]) -> Result<T, String> {
    serde_json::from_slice(text).map_err(|error| {
        if error.is_eof() {
            return "it ends too early".to_owned();
        }
        format!("at column {}: {error}", error.column())
    })
}

impl Cloud {
    fn relive(&self, line: Line) -> Result<(), String> {
        let Line { at, event } = line;
        self.go_to(at)?;
        match event {
            Event::Call(called) => {
                let operation = operation(*called)?;
                self.execute(&operation).map(drop).map_err(|error| {
                    format!(
                        "{}:{} is refused now: {error}; another version of the simulator has recorded this",
                        operation.service.code, operation.action.name
                    )
                })
            }
            Event::Settings(settings) => {
                let settings = settings.check().map_err(|error| error.to_string())?;
                self.set_settings(settings).map_err(|error| error.to_string())
            }
            Event::World(world) => self.replace(*world).map_err(|error| error.to_string()),
            Event::Clock => Ok(()),
        }
    }

    fn go_to(&self, at: Timestamp) -> Result<(), String> {
        let mut state = self.state();
        let now = state.clock.now();
        if at < now {
            return Err(format!("it is at {at}, before the line before it, at {now}"));
        }
        state.clock.set(at);
        state.end_transitions(at);
        Ok(())
    }
}

fn operation(called: EffectiveCall) -> Result<Operation, String> {
    let EffectiveCall { service, action, caller, region, parameters, body } = called;
    let known = SERVICES.iter().find(|known| known.code == service);
    let known = known.ok_or_else(|| format!("there is no service `{service}`"))?;
    let action = known.action(&action).ok_or_else(|| format!("`{service}` has no action `{action}`"))?;
    if matches!(action.run, Run::Read(_)) {
        return Err(format!("{service}:{} changes nothing, and is in no session", action.name));
    }
    let body = STANDARD.decode(body).map_err(|error| format!("its body is no base64: {error}"))?;
    Ok(Operation { service: known, action, caller, region, parameters, body: body.into() })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;
    use std::time::Duration;

    use tempfile::TempDir;

    use super::*;
    use crate::cloud::Filter;
    use crate::settings::Settings;
    use crate::testing::TestCloud;

    /// A session with a creation, a refusal, a repetition, other settings, a deletion, a snapshot's return and a
    /// step.
    fn recorded() -> (TempDir, PathBuf, TestCloud) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("session");
        let test = TestCloud::new();
        let gone = test.text("vpc", "CreateVpc", &[("VpcName", "before")], "VpcId");
        test.step(10);
        test.cloud.record(&path).unwrap();
        let one = [("VpcName", "one"), ("ClientToken", "t"), ("Tag.1.Key", "k"), ("Tag.1.Value", "é\n\"")];
        test.call("vpc", "CreateVpc", &one);
        test.refused("vpc", "CreateVpc", &[("CidrBlock", "x")]);
        test.step(1);
        test.call("vpc", "CreateVpc", &one);
        test.refused("vpc", "CreateVpc", &[("DryRun", "true")]);
        test.cloud.put_snapshot("one").unwrap();
        let settings: Settings = serde_json::from_str(r#"{ "delays": { "vpc:CreateVpc": 60 } }"#).unwrap();
        test.cloud.set_settings(settings).unwrap();
        test.call("vpc", "DeleteVpc", &[("VpcId", &gone)]);
        test.step(5);
        test.call("vpc", "CreateVpc", &[("VpcName", "lost")]);
        test.cloud.restore_snapshot("one").unwrap();
        test.call("vpc", "CreateVpc", &[("VpcName", "two")]);
        test.cloud.step(Duration::from_millis(1500)).unwrap();
        (folder, path, test)
    }

    #[test]
    fn a_session_is_replayed_to_the_same_inventory() {
        let (_folder, path, test) = recorded();
        let replay = replay(&path).unwrap();
        assert_eq!((replay.events, replay.cut), (9, None));
        assert_eq!(replay.cloud.now(), test.cloud.now());
        assert_eq!(replay.cloud.inventory(&Filter::default()), test.cloud.inventory(&Filter::default()));
        assert_eq!(replay.cloud.summary(&Filter::default()).to_string().matches("\"vpc:vpcs\":3").count(), 1);
        assert!(replay.cloud.world() == test.cloud.world(), "client tokens and counters, too");
        assert_eq!(replay.cloud.settings(), test.cloud.settings());
    }

    #[test]
    fn a_session_is_kept_from_others() {
        use std::os::unix::fs::PermissionsExt as _;

        let (_folder, path, test) = recorded();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        let error = test.cloud.record(&path).unwrap_err().to_string();
        assert!(error.contains("exists already"), "{error}");
    }

    #[test]
    fn a_line_that_never_ends_is_reported_with_the_limit() {
        let error = replay(Path::new("/dev/zero")).unwrap_err().to_string();
        let reported = "cannot read the session: it has more than 48 MiB in a line, which is the limit; check that it is the \
                    file that you mean";
        assert_eq!(error, reported);
    }

    #[test]
    fn a_last_line_that_was_cut_short_is_left_out() {
        let (_folder, path, _) = recorded();
        let text = fs::read_to_string(&path).unwrap();
        let last = text.lines().count();
        let whole = text.trim_end();
        let end = whole.rfind('\n').unwrap();
        for length in [end + 2, whole.len() - 1] {
            let replay = read(&whole.as_bytes()[..length]).unwrap();
            assert_eq!((replay.events, replay.cut), (8, Some(last)));
        }
        // All of it but the line feed is there.
        assert_eq!(read(whole.as_bytes()).unwrap().events, 9);
    }

    #[test]
    fn a_broken_session_is_refused_with_its_line() {
        let (_folder, path, _) = recorded();
        let text = fs::read_to_string(&path).unwrap();
        let lines: Vec<_> = text.lines().collect();
        let with = |number: usize, line: &str| {
            let mut lines = lines.clone();
            lines[number - 1] = line;
            lines.join("\n") + "\n"
        };
        let deletion = lines.iter().position(|line| line.contains("DeleteVpc")).unwrap();
        for (text, words) in [
            (String::new(), "the session is empty"),
            (lines[0][..50].to_owned(), "the session is empty"),
            (with(1, "{}"), "line 1: this is no session of the simulator"),
            (with(1, &lines[0].replace(FORMAT, "other")), "its format is `other`"),
            (with(1, &lines[0].replace("\"version\":1", "\"version\":2")), "has format version 2"),
            (with(3, "{\"at\":"), "line 3: it ends too early"),
            (with(3, ""), "line 3: it ends too early"),
            (with(3, "hello"), "line 3: at column 1"),
            (with(2, &lines[1].replace("CreateVpc", "CreatVpc")), "line 2: `vpc` has no action `CreatVpc`"),
            (with(2, &lines[1].replace("CreateVpc", "DescribeVpcs")), "line 2: vpc:DescribeVpcs changes nothing"),
            (with(4, &lines[3].replace("2026", "2025")), "line 4: it is at 2025"),
            (with(3, lines[deletion]), "vpc:DeleteVpc is refused now: IncorrectVpcStatus"),
        ] {
            let error = read(text.as_bytes()).unwrap_err().to_string();
            assert!(error.contains(words), "{words}: {error}");
        }
    }
}
