//! `trellis schema`

use std::collections::BTreeMap;
use std::fmt::Write as _;

use clap::Args;

use super::session::unknown_provider;
use super::{CommandError, Status, Streams};
use trellis_policies::engine::Engine;

/// List the JSON Schemas of configuration kinds and of requests and answers, or print one.
#[derive(Args, Debug)]
pub(super) struct SchemaArguments {
    /// Name of the schema to print; without it, all names are listed.
    name: Option<String>,

    /// Only the schemas of this provider.
    #[arg(long, value_name = "NAME")]
    provider: Option<String>,
}

impl SchemaArguments {
    pub(super) fn run(&self, engine: &dyn Engine, streams: &mut Streams<'_>) -> Result<Status, CommandError> {
        let known = engine.policies();
        if let Some(name) = self.provider.as_ref().filter(|name| !known.contains(name)) {
            return Err(unknown_provider(name, &known));
        }
        let wanted = known.iter().filter(|name| self.provider.as_ref().is_none_or(|only| only == *name));
        let schemas: Result<Vec<_>, CommandError> = wanted.map(|name| Ok((name, engine.schemas(name)?))).collect();
        let schemas = schemas?;
        let text = match &self.name {
            None => list(&schemas),
            Some(name) => one(name, &schemas)?,
        };
        streams.print(&text)?;
        Ok(Status::Success)
    }
}

type Schemas<'p> = [(&'p String, BTreeMap<String, serde_json::Value>)];

fn list(schemas: &Schemas<'_>) -> String {
    let mut text = String::new();
    for (provider, schemas) in schemas {
        let _ = writeln!(text, "{provider}");
        for name in schemas.keys() {
            let _ = writeln!(text, "  {name}");
        }
    }
    text
}

fn one(name: &str, schemas: &Schemas<'_>) -> Result<String, CommandError> {
    let found: Vec<_> =
        schemas.iter().filter_map(|(provider, schemas)| Some((*provider, schemas.get(name)?))).collect();
    let Some((_, first)) = found.first() else { return Err(CommandError::UnknownSchema(name.to_owned())) };
    if found.iter().any(|(_, schema)| schema != first) {
        let providers = found.iter().map(|(provider, _)| format!("`{provider}`")).collect::<Vec<_>>().join(", ");
        return Err(CommandError::AmbiguousSchema { name: name.to_owned(), providers });
    }
    Ok(serde_json::to_string_pretty(first).unwrap_or_default() + "\n")
}
