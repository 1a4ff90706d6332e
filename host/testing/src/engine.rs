//! A policy of which a test says what it answers.

use std::collections::BTreeMap;

use serde_json::Value;
use trellis_policies::answer::RuleWords;
use trellis_policies::engine::{CallError, Engine, Function, PolicyFile, SchemasError, WordsError};

/// What a fake policy answers: a text, or the error of a call that has no answer.
pub trait FakeAnswer {
    /// The answer of the engine.
    fn into_result(self) -> Result<String, CallError>;
}

impl FakeAnswer for String {
    fn into_result(self) -> Result<String, CallError> {
        Ok(self)
    }
}

impl FakeAnswer for Result<Value, CallError> {
    fn into_result(self) -> Result<String, CallError> {
        self.map(|answer| answer.to_string())
    }
}

/// An engine with policies that have neither schemas nor words nor files. `answer` gets the provider, the function
/// and the request.
#[derive(Clone, Debug)]
pub struct FakeEngine<F> {
    providers: &'static [&'static str],
    answer: F,
}

impl<F: Fn(&str, Function, &str) -> A + Send + Sync, A: FakeAnswer> FakeEngine<F> {
    /// Answers so for these providers.
    pub fn new(providers: &'static [&'static str], answer: F) -> Self {
        Self { providers, answer }
    }
}

impl<F: Fn(&str, Function, &str) -> A + Send + Sync, A: FakeAnswer> Engine for FakeEngine<F> {
    fn call(&self, provider: &str, function: Function, request: &str) -> Result<String, CallError> {
        (self.answer)(provider, function, request).into_result()
    }

    fn providers(&self) -> Vec<String> {
        self.providers.iter().map(|name| (*name).to_owned()).collect()
    }

    fn schemas(&self, _: &str) -> Result<BTreeMap<String, Value>, SchemasError> {
        Ok(BTreeMap::new())
    }

    fn words(&self, _: &str) -> Result<BTreeMap<String, RuleWords>, WordsError> {
        Ok(BTreeMap::new())
    }

    fn file(&self, _: &str) -> Option<&PolicyFile> {
        None
    }
}
