//! Build steps that cargo cannot express: `cargo xtask STEP`.

mod claims;
mod documents;
mod functions;
mod generated;
mod marked;
mod providers;
mod rules;
mod schemas;
mod wasm;
mod words;

use std::path::Path;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Args, Parser, Subcommand};
use wasm::Face;

/// Build steps that cargo cannot express.
#[derive(Parser)]
#[command(name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    step: Step,
}

#[derive(Subcommand)]
enum Step {
    /// Build the policies as WebAssembly: for JavaScript into `web/dist/policies/`, for the sandbox into
    /// `target/release/policies/`.
    Wasm {
        /// Build those for JavaScript only.
        #[arg(long, conflicts_with = "sandbox")]
        javascript: bool,
        /// Build those for the sandbox only.
        #[arg(long)]
        sandbox: bool,
    },
    /// Write what follows from the tables of functions: the WIT world, the host's list, the npm package's
    /// interface.
    Functions(Mode),
    /// Write what follows from the parts of the policies: the modules of WebAssembly, `wasm/modules/`.
    Modules(Mode),
    /// Write the rule reference, `docs/rules/`.
    Rules(Mode),
    /// Write the JSON Schemas, `web/schemas/`, and the host's types of answers.
    Schemas(Mode),
    /// Write what the npm package knows of each provider, `web/src/generated/`, and what the program grants to its
    /// policy.
    Providers(Mode),
    /// Check that identifiers and comments have the words of `docs/glossary.md`.
    Words,
}

#[derive(Args)]
struct Mode {
    /// Write nothing; fail when a committed file is stale.
    #[arg(long)]
    check: bool,
}

fn main() -> ExitCode {
    match run(&Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(cli: &Cli) -> anyhow::Result<()> {
    let root =
        Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("the workspace is the parent folder of xtask")?;
    match &cli.step {
        Step::Wasm { javascript: true, .. } => wasm::build(root, Some(Face::JavaScript)),
        Step::Wasm { sandbox: true, .. } => wasm::build(root, Some(Face::Sandbox)),
        Step::Wasm { .. } => wasm::build(root, None),
        Step::Functions(Mode { check }) => functions::finish(root, *check),
        Step::Modules(Mode { check }) => wasm::finish_modules(root, *check),
        Step::Rules(Mode { check }) => generated::finish(root, &rules::reference()?, *check, "cargo xtask rules"),
        Step::Schemas(Mode { check }) => {
            const COMMAND: &str = "cargo xtask schemas";
            generated::finish(root, &schemas::schemas()?, *check, COMMAND)?;
            generated::finish_files(root, &documents::types()?, *check, COMMAND)
        }
        Step::Providers(Mode { check }) => {
            providers::finish(root, *check)?;
            generated::finish_files(root, &claims::tables()?, *check, providers::COMMAND)
        }
        Step::Words => words::check(root),
    }
}
