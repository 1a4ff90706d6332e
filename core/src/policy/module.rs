//! What a module answers: the functions of its parts.

use super::answer::failure;
use super::part::call;
use super::{Function, Part, RequestError};
use crate::collections::NameSet;

/// What a module holds of one provider.
pub struct Module {
    /// What every module answers.
    pub common: &'static [Function<Module>],
    /// The parts that the module was built with.
    pub parts: Vec<&'static dyn Part>,
}

impl Module {
    /// The names of the functions that the module answers, sorted.
    pub fn functions(&self) -> Vec<&'static str> {
        let mut names: NameSet<'_> = self.common.iter().map(|function| function.name).collect();
        for part in &self.parts {
            names.extend(part.names());
        }
        names.iter().collect()
    }

    /// Answers a call: JSON text in, JSON text out, the same bytes on every face. An answer
    /// `{ "error": { "code", "message", "pointer"? } }` says what is wrong with a request.
    pub fn call(&self, function: &str, request: &str) -> String {
        let of_part =
            |part: &&dyn Part| part.names().contains(&function).then(|| part.call(function, request)).flatten();
        let answer = call(self.common, self, function, request).or_else(|| self.parts.iter().find_map(of_part));
        let unknown = || RequestError::UnknownFunction { name: function.to_owned(), known: self.functions() };
        answer.unwrap_or_else(|| Err(unknown())).unwrap_or_else(failure)
    }
}
