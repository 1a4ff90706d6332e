//! The command line.

#[cfg(feature = "cluster")]
mod admission;
mod apply;
#[cfg(feature = "cluster")]
mod called;
mod cloud;
mod command_error;
mod completion;
mod consent;
mod default;
mod engine;
mod eval;
mod facts;
mod fail_on;
mod failures;
mod files;
mod garden;
mod help;
mod input;
mod judged_at;
mod notes;
mod output;
pub mod page;
mod plan;
mod policies;
#[cfg(feature = "cluster")]
mod process;
mod ram_policy;
mod render;
mod rules;
#[cfg(feature = "cluster")]
mod run;
mod runtime;
#[cfg(feature = "cluster")]
mod scan;
mod schema;
mod serve;
mod session;
mod shadow;
mod simulate;
mod state;
mod status;
mod stop;
mod streams;
mod target;
mod validate;
mod world;
mod zones;

use std::ffi::{OsStr, OsString};
use std::io::IsTerminal as _;
use std::process::ExitCode;
use std::sync::Arc;

use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory as _, Parser, Subcommand, ValueEnum};

#[cfg(feature = "cluster")]
use called::Called;
use command_error::CommandError;
pub use engine::{OpenError, Opened, PolicyFiles, Selection};
use failures::Readers;
use output::Style;
use shadow::ShadowArguments;
pub use status::Status;
pub use streams::Streams;

use trellis_policies::engine::Engine;

const AFTER_HELP: &str = "\
Exit codes:
  0  Nothing is wrong. The last line says what is not decided, and standard
     error why.
  1  Something is wrong: a file is a template, an object has errors (with
     --fail-on also warnings or undecided rules), ranges conflict, a zone cannot
     be added, or `policies verify` refuses a policy. Of plan, apply, destroy,
     state and ram-policy: anything failed.
  2  The command line or a file cannot be used, or an object could not be
     judged. Of scan: also, nothing was judged, or not all could be read. Of
     plan --detailed-exitcode: something changes.

Examples:
  trellis validate shoot.yaml cloudprofile.yaml
  kubectl get shoot my-shoot -o yaml | trellis validate --old - new.yaml
  trellis rules show RULE-ID";

/// Commands of the feature `cluster`, which `make start` does not build.
const OF_CLUSTERS: [&str; 3] = ["admission", "run", "scan"];

const EVERYWHERE: &str = "Options of all commands";

/// Judge Gardener manifests as the extension of their cloud provider does, and say how to fix them.
#[derive(Debug, Parser)]
#[command(name = "trellis", version, after_help = AFTER_HELP, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,

    /// When to use colors.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", help_heading = EVERYWHERE)]
    color: Color,

    #[command(flatten)]
    engine: engine::EngineArguments,
}

#[derive(Debug, Subcommand)]
enum Command {
    #[command(flatten)]
    Policy(PolicyCommand),
    #[command(flatten)]
    Infrastructure(InfrastructureCommand),
    Policies(policies::PoliciesArguments),
    Serve(serve::ServeArguments),
    Simulate(simulate::SimulateArguments),
    #[cfg(feature = "cluster")]
    Run(Box<run::RunArguments>),
    #[cfg(feature = "cluster")]
    Admission(Box<admission::AdmissionArguments>),
    Completion(completion::CompletionArguments),
}

/// Commands that policies answer.
#[derive(Debug, Subcommand)]
enum PolicyCommand {
    Validate(validate::ValidateArguments),
    #[cfg(feature = "cluster")]
    Scan(scan::ScanArguments),
    Default(default::DefaultArguments),
    Zones(zones::ZonesArguments),
    Render(render::RenderArguments),
    Rules(rules::RulesArguments),
    Schema(schema::SchemaArguments),
    Eval(eval::EvalArguments),
}

/// Commands that work on infrastructures. They exit with 1 on every failure, because 2 stands for changes.
#[derive(Debug, Subcommand)]
enum InfrastructureCommand {
    Plan(plan::PlanArguments),
    Apply(apply::ApplyArguments),
    Destroy(apply::DestroyArguments),
    State(state::StateArguments),
    RamPolicy(ram_policy::RamPolicyArguments),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Color {
    /// On a terminal.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    let has_color = |choice| choice != anstream::ColorChoice::Never;
    let stdin = std::io::stdin();
    let streams = Streams {
        stdin_is_terminal: stdin.is_terminal(),
        stdin: &mut stdin.lock(),
        stdout: &mut std::io::stdout().lock(),
        stdout_has_color: has_color(anstream::AutoStream::choice(&std::io::stdout())),
        stdout_is_terminal: std::io::stdout().is_terminal(),
        // Not locked, because a command that runs on writes its log there, from other threads.
        stderr: &mut std::io::stderr(),
        stderr_has_color: has_color(anstream::AutoStream::choice(&std::io::stderr())),
    };
    run(std::env::args_os(), std::env::var_os(engine::VARIABLE).as_deref(), engine::open, streams).into()
}

/// Runs a command line: arguments (the program's name first), the value of `TRELLIS_POLICIES`, a way to get the
/// engine that they ask for, and the streams.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    policies: Option<&OsStr>,
    open: impl Fn(&Selection) -> Result<Opened, OpenError>,
    mut streams: Streams<'_>,
) -> Status {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    #[cfg(feature = "cluster")]
    let (called, arguments) = {
        let called = Called::of(&arguments);
        let line = called.line(arguments);
        (called, line)
    };
    #[cfg(feature = "cluster")]
    let shown = called.usage();
    #[cfg(not(feature = "cluster"))]
    let shown: Option<String> = None;
    let cli = match help::parse(&arguments, shown.as_deref()) {
        Ok(cli) => cli,
        Err(error) => {
            let command = command_name(&arguments);
            if error.use_stderr() {
                let readers = Readers::of_arguments(&command, &arguments);
                // A failure to write changes nothing, because the command line is refused in any case.
                let _ = readers.print(output::Error::of_usage(&error), &mut streams);
            }
            let status = usage(&error, &mut streams);
            return if is_infrastructure_command(&command) { status.min(Status::Rejected) } else { status };
        }
    };
    #[cfg(feature = "cluster")]
    let cli = as_called(cli, &called);
    match cli.color {
        Color::Auto => {}
        Color::Always => (streams.stdout_has_color, streams.stderr_has_color) = (true, true),
        Color::Never => (streams.stdout_has_color, streams.stderr_has_color) = (false, false),
    }
    let selection = match cli.engine.select(policies) {
        Ok(selection) => selection,
        Err(error) => return usage(&error.format(&mut help::command(shown.as_deref())), &mut streams),
    };
    let readers = cli.command.readers(&arguments);
    let run = cli.command.run(&selection, open, &mut streams);
    run.unwrap_or_else(|error| readers.show(&[error], &mut streams))
}

/// A command line as the existing program takes it, where this one is called as that is.
#[cfg(feature = "cluster")]
fn as_called(mut cli: Cli, called: &Called) -> Cli {
    if let (Called::Admission(_), Command::Admission(arguments)) = (called, &mut cli.command) {
        arguments.make_certificate();
    }
    cli
}

impl Command {
    /// Who reads the standard output.
    fn readers(&self, arguments: &[OsString]) -> Readers {
        match self {
            Self::Infrastructure(command) => command.readers(),
            _ => Readers::of_arguments(&command_name(arguments), arguments),
        }
    }

    fn run(
        &self,
        selection: &Selection,
        open: impl Fn(&Selection) -> Result<Opened, OpenError>,
        streams: &mut Streams<'_>,
    ) -> Result<Status, CommandError> {
        match self {
            Self::Completion(arguments) => arguments.run(streams),
            Self::Serve(arguments) => {
                // The page has policies of its own, and is useful without those of this program.
                let engine = opened(selection, open, streams);
                let engine = match engine
                    .map_err(CommandError::from)
                    .and_then(|opened| opened.all_run().map(|()| opened))
                {
                    Ok(opened) => Some(opened.engine),
                    Err(error) => {
                        let style = Style::new(streams.stderr_has_color);
                        streams.say(&style.warning(&format!("the page cannot apply: {error}")));
                        None
                    }
                };
                arguments.run(engine, streams)
            }
            Self::Simulate(arguments) => arguments.run(streams),
            #[cfg(feature = "cluster")]
            Self::Run(arguments) => Ok(arguments.run(selection)?),
            #[cfg(feature = "cluster")]
            Self::Admission(arguments) => Ok(arguments.run(selection)?),
            Self::Infrastructure(command) => Ok(command
                .run(selection, open, streams)
                .unwrap_or_else(|error| failures::failed(&[error], command.readers(), streams))),
            Self::Policies(arguments) => arguments.run(&opened(selection, open, streams)?, streams),
            Self::Policy(command) => {
                let opened = opened(selection, &open, streams)?;
                // An answer that lacks a policy would mislead.
                opened.all_run()?;
                let run =
                    |engine: &Arc<dyn Engine>, streams: &mut Streams<'_>| command.run(engine.as_ref(), streams);
                match command.shadow() {
                    Some(shadow) => shadow.run(opened.engine, open, streams, run),
                    None => run(&opened.engine, streams),
                }
            }
        }
    }
}

impl PolicyCommand {
    fn shadow(&self) -> Option<&ShadowArguments> {
        match self {
            Self::Validate(arguments) => Some(arguments.shadow()),
            Self::Eval(arguments) => Some(arguments.shadow()),
            _ => None,
        }
    }

    fn run(&self, engine: &dyn Engine, streams: &mut Streams<'_>) -> Result<Status, CommandError> {
        match self {
            Self::Validate(arguments) => arguments.run(engine, streams),
            #[cfg(feature = "cluster")]
            Self::Scan(arguments) => arguments.run(engine, streams),
            Self::Default(arguments) => arguments.run(engine, streams),
            Self::Zones(arguments) => arguments.run(engine, streams),
            Self::Render(arguments) => arguments.run(engine, streams),
            Self::Rules(arguments) => arguments.run(engine, streams),
            Self::Schema(arguments) => arguments.run(engine, streams),
            Self::Eval(arguments) => arguments.run(engine, streams),
        }
    }
}

impl InfrastructureCommand {
    fn readers(&self) -> Readers {
        match self {
            Self::Plan(arguments) => arguments.readers(),
            Self::Apply(arguments) => arguments.readers(),
            Self::Destroy(arguments) => arguments.readers(),
            Self::State(arguments) => arguments.readers(),
            Self::RamPolicy(_) => Readers::Programs,
        }
    }

    fn run(
        &self,
        selection: &Selection,
        open: impl Fn(&Selection) -> Result<Opened, OpenError>,
        streams: &mut Streams<'_>,
    ) -> Result<Status, CommandError> {
        let opened = opened(selection, &open, streams)?;
        opened.all_run()?;
        let engine = opened.engine;
        match self {
            Self::Plan(arguments) => {
                arguments.shadow().run(engine, open, streams, |engine, streams| arguments.run(engine, streams))
            }
            Self::Apply(arguments) => {
                arguments.shadow().run(engine, open, streams, |engine, streams| arguments.run(engine, streams))
            }
            Self::Destroy(arguments) => {
                arguments.shadow().run(engine, open, streams, |engine, streams| arguments.run(engine, streams))
            }
            Self::State(arguments) => arguments.run(streams),
            Self::RamPolicy(arguments) => arguments.run(engine.as_ref(), streams).map(|()| Status::Success),
        }
    }
}

/// The command that a command line names which nobody can parse; empty where it names none.
fn command_name(arguments: &[OsString]) -> String {
    let matches = Cli::command().ignore_errors(true).try_get_matches_from(arguments);
    matches.ok().and_then(|matches| Some(matches.subcommand_name()?.to_owned())).unwrap_or_default()
}

/// Whether a command is one of [`InfrastructureCommand`].
fn is_infrastructure_command(name: &str) -> bool {
    ["apply", "destroy", "plan", "ram-policy", "state"].contains(&name)
}

/// Opens the engine that the command line selects, and prints its warnings.
fn opened(
    selection: &Selection,
    open: impl Fn(&Selection) -> Result<Opened, OpenError>,
    streams: &mut Streams<'_>,
) -> Result<Opened, OpenError> {
    let opened = open(selection)?;
    let style = Style::new(streams.stderr_has_color);
    for warning in &opened.warnings {
        streams.say(&style.warning(warning));
    }
    Ok(opened)
}

/// Help goes to standard output, complaints to standard error.
fn usage(error: &clap::Error, streams: &mut Streams<'_>) -> Status {
    let colored = |has_color: bool| {
        let text = error.render();
        help::printable(&if has_color { text.ansi().to_string() } else { text.to_string() })
    };
    if error.use_stderr() {
        let text = colored(streams.stderr_has_color);
        streams.say(&text);
        if cfg!(not(feature = "cluster"))
            && let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand)
            && OF_CLUSTERS.contains(&name.as_str())
        {
            streams.say(&format!(
                "this program was built without `{name}`: `make build` builds it with all commands, into target/release\n"
            ));
        }
        Status::Failed
    } else {
        let text = colored(streams.stdout_has_color);
        streams.print(&text).map_or(Status::Failed, |()| Status::Success)
    }
}
