//! The documents of every policy: their JSON Schemas.

use std::collections::BTreeMap;

use schemars::Schema;
use serde_json::Value;

use super::{ADDRESSING, COMMON, Failure, Function, JUDGING, MUTATING, PLANNING, RENDERING};
use crate::report::RuleWords;
use crate::schema::answer;

/// Schemas of the requests and answers, which are the same for every provider, by name.
pub fn documents() -> BTreeMap<String, Value> {
    let mut failure = answer::<Failure>();
    failure.insert("title".to_owned(), "ErrorAnswer".into());
    let mut words = answer::<BTreeMap<String, RuleWords>>();
    words.insert("title".to_owned(), "RulesInWords".into());
    words.insert(
        "description".to_owned(),
        "The file `<provider>.rules.json`: what rules say to people, by the ids of the rules.".into(),
    );
    let named = |schema: Schema| Some((schema.get("title")?.as_str()?.to_owned(), schema.to_value()));
    let all = [
        schemas(COMMON),
        schemas(JUDGING),
        schemas(ADDRESSING),
        schemas(PLANNING),
        schemas(MUTATING),
        schemas(RENDERING),
        vec![failure, words],
    ];
    all.into_iter().flatten().filter_map(named).collect()
}

/// The schemas of a table's requests and answers; the title of each is its name.
fn schemas<P>(functions: &[Function<P>]) -> Vec<Schema> {
    let answer = |function: &Function<P>| {
        let mut answer = (function.answer)();
        answer.insert("title".to_owned(), function.answer_name().into());
        answer
    };
    let request = |function: &Function<P>| function.request.map(|schema| schema());
    functions.iter().flat_map(|function| [request(function), Some(answer(function))]).flatten().collect()
}

#[cfg(test)]
mod tests;
