//! `trellis rules`

use std::fmt::Write as _;

use clap::{Args, Subcommand};

use super::notes::show_errors;
use super::session::unknown_provider;
use super::{CommandError, Status, Streams};
use trellis_policies::answer::{Effect, Rule, RuleWords};
use trellis_policies::engine::{Engine, WordsError};
use trellis_policies::policy::Policy;

/// List the rules of the policies, or explain one.
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct RulesArguments {
    #[command(subcommand)]
    command: Option<Command>,

    /// Only the rules of this provider.
    #[arg(long, value_name = "NAME")]
    provider: Option<String>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Explain a rule: what must hold, why, and how to fix a manifest.
    Show {
        /// Its id, as findings give it.
        #[arg(value_name = "RULE-ID")]
        id: String,
    },
}

impl RulesArguments {
    pub(super) fn run(&self, engine: &dyn Engine, streams: &mut Streams<'_>) -> Result<Status, CommandError> {
        let known = engine.policies();
        if let Some(name) = self.provider.as_ref().filter(|name| !known.contains(name)) {
            return Err(unknown_provider(name, &known));
        }
        let wanted = known.iter().filter(|name| self.provider.as_ref().is_none_or(|only| only == *name));
        let policies = wanted.map(|name| {
            Policy::load(engine, name).map_err(|failure| CommandError::NoRules { provider: name.clone(), failure })
        });
        if let Some(Command::Show { id }) = &self.command {
            streams.print(&show(&policies.collect::<Result<Vec<_>, _>>()?, id)?)?;
            return Ok(Status::Success);
        }
        // What is wrong with one policy hides no rule of the others.
        let (mut texts, mut errors) = (Vec::new(), Vec::new());
        for policy in policies {
            match policy.and_then(|policy| Ok(list(&policy)?)) {
                Ok(text) => texts.push(text),
                Err(error) => errors.push(error),
            }
        }
        streams.print(&texts.join("\n"))?;
        Ok(show_errors(&errors, streams))
    }
}

fn list(policy: &Policy<'_>) -> Result<String, WordsError> {
    let mut text = format!("{}\n", policy.provider());
    let width = policy.rules().iter().map(|rule| rule.id.len()).max().unwrap_or(0);
    for (rule, words) in policy.rules_in_words()? {
        let informative = if rule.informative { " (informative)" } else { "" };
        // Writing to a string does not fail.
        let _ = writeln!(text, "  {:width$}  {:<7}  {}{informative}", rule.id, effect(rule), words.summary);
    }
    Ok(text)
}

/// The page of the rule with this id.
fn show(policies: &[Policy<'_>], id: &str) -> Result<String, CommandError> {
    for policy in policies {
        if policy.rules().iter().any(|rule| rule.id.eq_ignore_ascii_case(id)) {
            let mut rules = policy.rules_in_words()?;
            rules.retain(|(rule, _)| rule.id.eq_ignore_ascii_case(id));
            return Ok(rules.iter().map(|(rule, words)| page(policy, rule, words)).collect());
        }
    }
    Err(CommandError::UnknownRule(id.to_owned()))
}

/// The effect of a rule: the severity of its findings, or a default.
fn effect(rule: &Rule) -> String {
    match (rule.effect, rule.severity) {
        (Effect::Default, _) => "default".to_owned(),
        (Effect::Validate, Some(severity)) => severity.to_string(),
        (Effect::Validate, None) => String::new(),
    }
}

fn page(policy: &Policy<'_>, rule: &Rule, words: &RuleWords) -> String {
    let mut text = format!("{}\n\n{}\n\n", rule.id, words.summary);
    let rows = [
        ("Why", words.why.clone()),
        ("Fix", words.fix.clone()),
        ("Kinds", rule.kinds.join(", ")),
        ("Operation", rule.operation.to_string()),
        ("Effect", effect(rule)),
        ("Provider", policy.provider().to_owned()),
        ("Releases", rule.releases()),
        ("Informative", words.informative.clone().unwrap_or_default()),
    ];
    for (name, value) in rows.iter().filter(|(_, value)| !value.is_empty()) {
        let _ = writeln!(text, "{name}:{:width$}{value}", "", width = 12 - name.len());
    }
    text
}
