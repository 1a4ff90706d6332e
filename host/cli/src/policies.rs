//! `trellis policies`

use std::error::Error;
use std::fmt::Write as _;

use clap::{Args, Subcommand, ValueEnum};
use serde::Serialize;

use super::engine::Opened;
use super::output::{clean, count};
use super::{CommandError, Status, Streams};
use trellis_policies::answer::{self, AddedZones, Addresses, Defaulting, Failure, Info, Validation};
use trellis_policies::engine::{Engine, Function, PolicyFile, Trust, WordsError};
use trellis_policies::policy::Policy;

/// List the policies that are there, or check them.
#[derive(Args, Debug)]
pub(super) struct PoliciesArguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List provider type, version, parity, size, digest, trust and file of every policy.
    ///
    /// Parity is the release of the existing extension whose rules a policy carries. Trust is `named` where
    /// `--digest` names the file, and `SHA256SUMS` where only that file vouches for it, which shows damage, and
    /// not who made the file.
    List {
        /// How to write it.
        #[arg(short, long, value_name = "FORMAT", default_value = "human")]
        output: Format,
    },
    /// Check that every policy is the one that was listed, and that it answers.
    ///
    /// Exits with 1 if one is refused.
    Verify,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A table.
    Human,
    /// An array with one entry a policy.
    Json,
}

/// A policy that can be called.
#[derive(Debug, Serialize)]
struct Entry {
    #[serde(rename = "type")]
    provider: String,
    version: String,
    parity: String,
    /// In bytes; like digest and file, none for a policy that is linked in.
    size: Option<usize>,
    digest: Option<String>,
    /// What vouches for the file.
    trust: Option<&'static str>,
    file: Option<String>,
}

fn trust(file: &PolicyFile) -> &'static str {
    match file.trust {
        Trust::Named => "named",
        Trust::Listed => "SHA256SUMS",
    }
}

impl PoliciesArguments {
    pub(super) fn run(&self, opened: &Opened, streams: &mut Streams<'_>) -> Result<Status, CommandError> {
        match self.command {
            Command::List { output } => list(opened, output, streams),
            Command::Verify => verify(opened, streams),
        }
    }
}

fn list(opened: &Opened, output: Format, streams: &mut Streams<'_>) -> Result<Status, CommandError> {
    let engine = opened.engine.as_ref();
    let entries: Result<Vec<Entry>, CommandError> =
        engine.policies().iter().map(|name| entry(engine, name)).collect();
    let entries = entries?;
    let text = match output {
        Format::Human => table(&entries),
        Format::Json => serde_json::to_string_pretty(&entries).unwrap_or_default() + "\n",
    };
    streams.print(&text)?;
    opened.all_run()?;
    Ok(Status::Success)
}

fn entry(engine: &dyn Engine, provider: &str) -> Result<Entry, CommandError> {
    let info = engine.call(provider, Function::Info, "{}").map_err(Failure::from);
    let info: Info = info
        .and_then(|info| answer::read(&info))
        .map_err(|failure| CommandError::NoInfo { provider: provider.to_owned(), failure })?;
    let file = engine.file(provider);
    Ok(Entry {
        provider: provider.to_owned(),
        version: info.version,
        parity: info.parity,
        size: file.map(|file| file.size),
        digest: file.map(|file| file.digest.to_string()),
        trust: file.map(trust),
        file: file.map(|file| file.path.display().to_string()),
    })
}

fn table(entries: &[Entry]) -> String {
    let row = |entry: &Entry| {
        [
            entry.provider.clone(),
            entry.version.clone(),
            entry.parity.clone(),
            entry.size.map_or_else(|| "-".to_owned(), |size| size.to_string()),
            entry.digest.clone().unwrap_or_else(|| "-".to_owned()),
            entry.trust.unwrap_or("-").to_owned(),
            entry.file.as_deref().map_or_else(|| "linked in".to_owned(), clean),
        ]
    };
    let head = ["TYPE", "VERSION", "PARITY", "SIZE", "SHA-256", "TRUST", "FILE"].map(str::to_owned);
    let rows: Vec<[String; 7]> = std::iter::once(head).chain(entries.iter().map(row)).collect();
    let mut text = String::new();
    for row in &rows {
        for (column, cell) in row.iter().enumerate() {
            let width = rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
            let is_last = column + 1 == row.len();
            let width = if is_last { 0 } else { width.unwrap_or(0) + 2 };
            // Writing to a string does not fail.
            let _ = write!(text, "{cell:width$}");
        }
        text.push('\n');
    }
    text
}

fn verify(opened: &Opened, streams: &mut Streams<'_>) -> Result<Status, CommandError> {
    let engine = opened.engine.as_ref();
    let mut refused = opened.refused.len();
    for provider in engine.policies() {
        let of = engine.file(&provider);
        let file = of.map_or_else(|| "linked in".to_owned(), |file| format!("`{}`", file.path.display()));
        let line = match check(engine, &provider) {
            Ok(sum) => format!("{provider} ({file}): {sum}{}", of.map_or("", vouched)),
            Err(failure) => {
                refused += 1;
                format!("{provider} ({file}): does not work: {}", failure.message)
            }
        };
        streams.print(&(clean(&line) + "\n"))?;
    }
    for line in &opened.refused {
        streams.print(&(clean(line) + "\n"))?;
    }
    Ok(if refused == 0 { Status::Success } else { Status::Rejected })
}

/// What vouches for a file, for people.
fn vouched(file: &PolicyFile) -> &'static str {
    match file.trust {
        Trust::Named => "; you named its digest",
        Trust::Listed => "; only `SHA256SUMS` next to it vouches for it",
    }
}

/// Asks a policy all that can be asked without an object, and describes the policy.
fn check(engine: &dyn Engine, provider: &str) -> Result<String, Failure> {
    let policy = Policy::load(engine, provider)?;
    let unreadable = |error: &dyn Error| Failure::new("Unreadable", error.to_string());
    let schemas = engine.schemas(provider).map_err(|error| unreadable(&error))?;
    let words = match policy.rules_in_words() {
        Ok(_) => "",
        Err(WordsError::Missing { .. }) => " without words",
        Err(error @ WordsError::Unreadable { .. }) => return Err(unreadable(&error)),
    };
    let ask = |function| engine.call(provider, function, r#"{"object":{}}"#);
    let validated = answer::read::<Validation>(&ask(Function::Validate)?).map(drop);
    let defaulted = answer::read::<Defaulting>(&ask(Function::Default)?).map(drop);
    let mut answers = vec![validated, defaulted];
    if policy.answers(Function::Addresses) {
        answers.push(answer::read::<Addresses>(&ask(Function::Addresses)?).map(drop));
    }
    if policy.answers(Function::Zones) {
        answers.push(answer::read::<AddedZones>(&ask(Function::Zones)?).map(drop));
    }
    // That there is nothing to judge is an answer too.
    for failure in answers.into_iter().filter_map(Result::err) {
        if failure.code == Failure::UNKNOWN_ANSWER {
            return Err(failure);
        }
    }
    let info = policy.info();
    Ok(format!(
        "ok, version {} with {}{words} of {} and {}",
        info.version,
        count(policy.rules().len(), "rule"),
        info.parity,
        count(schemas.len(), "schema")
    ))
}
