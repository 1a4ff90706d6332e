//! A file with answers to the queries of undecided rules.

use std::path::Path;

use super::CommandError;
use super::input::Input;
use trellis_policies::source::Node;

/// Reads a list of facts, each as JSON text.
pub(super) fn facts(input: &mut Input<'_, '_>, file: &Path) -> Result<Vec<String>, CommandError> {
    let (source, roots) = input.nodes(file)?;
    match roots.as_slice() {
        [list] if list.as_sequence().is_some() => {
            let facts = list.as_sequence().unwrap_or_default();
            match facts.iter().enumerate().find(|(_, fact)| !is_fact(fact)) {
                None => Ok(facts.iter().map(Node::to_json).collect()),
                Some((index, _)) => {
                    let span = list.locate(&format!("/{index}")).highlight(&source);
                    Err(CommandError::NotAFact { input: source, span })
                }
            }
        }
        [_, second, ..] => Err(CommandError::FactsNotList { input: source, span: second.span }),
        roots => {
            let span = roots.first().map(|root| root.locate("").highlight(&source)).unwrap_or_default();
            Err(CommandError::FactsNotList { input: source, span })
        }
    }
}

/// Whether a node has the shape of the answer to a query.
fn is_fact(node: &Node) -> bool {
    let answer = |key| node.at(&["answer", key]);
    let answered = match (answer("response"), answer("error")) {
        (Some(_), None) => true,
        (None, Some(error)) => error.get("code").is_some_and(|code| code.as_str().is_some()),
        _ => false,
    };
    answered && node.get("query").is_some_and(|query| query.as_str().is_some())
}
