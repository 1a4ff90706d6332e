//! Answers the queries of a policy with the objects that were given.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::Ambiguity;
use crate::answer::{Failure, Undecided};
use crate::manifest::{Document, Identity, Manifests, Meant};
use crate::rounds::{Limits, Rounds};

/// What a policy may ask for one object, in all worlds that it judges. It may ask again, because an answer may
/// lead to a further query.
const LIMITS: Limits = Limits { rounds: 8, queries: 1_000 };

/// Facts of the caller, and those that the given objects are.
pub struct Lookup<'m> {
    manifests: &'m Manifests,
    /// The object whose policy asks.
    by: &'m Document,
    /// The object that is no answer.
    left_out: Option<&'m Document>,
    /// The JSON text of each fact; of two facts for one query, a policy takes the first.
    known: Rounds<String>,
    /// What queries ask for and different objects are.
    ambiguous: Vec<Ambiguity>,
}

/// A query that asks for one object of Kubernetes.
#[derive(Debug)]
pub struct ObjectQuery {
    /// The id of the query.
    pub id: String,
    /// Such as `security.gardener.cloud/v1alpha1`.
    pub api_version: String,
    /// Kind, namespace and name.
    pub identity: Identity,
    /// Whether the object is one of the Shoot's own API server.
    pub is_in_shoot: bool,
}

impl ObjectQuery {
    /// Reads a query; `None` where it asks for something else.
    pub fn read(query: &RawValue) -> Option<Self> {
        #[derive(Deserialize)]
        struct Query {
            id: String,
            call: Call,
        }
        #[derive(Deserialize)]
        struct Call {
            service: String,
            action: String,
            parameters: Parameters,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Parameters {
            api_version: String,
            kind: String,
            #[serde(default)]
            namespace: String,
            name: String,
            #[serde(default)]
            cluster: String,
        }
        let Query { id, call: Call { service, action, parameters } } = serde_json::from_str(query.get()).ok()?;
        let Parameters { api_version, kind, namespace, name, cluster } = parameters;
        let identity = Identity { kind, namespace, name };
        let is_object = service == "kubernetes" && action == "get";
        is_object.then_some(Self { id, api_version, identity, is_in_shoot: cluster == "shoot" })
    }

    /// The group of the object; empty for that of Secrets.
    pub fn group(&self) -> &str {
        self.api_version.rsplit_once('/').map_or("", |(group, _)| group)
    }
}

impl<'m> Lookup<'m> {
    /// A lookup that begins with the facts of the caller.
    pub fn new(by: &'m Document, manifests: &'m Manifests, facts: &[String]) -> Self {
        let mut known = Rounds::new(LIMITS);
        known.learn(facts.iter().cloned());
        Self { manifests, by, left_out: None, known, ambiguous: Vec::new() }
    }

    /// The lookup as if nobody knew an object.
    #[must_use]
    pub fn without(self, left_out: Option<&'m Document>) -> Self {
        Self { left_out, ..self }
    }

    /// Asks a policy, and again as long as objects answer what it asks for.
    pub fn ask<A>(
        &mut self,
        call: impl Fn(&[String]) -> Result<A, Failure>,
        undecided: impl Fn(&A) -> &[Undecided],
    ) -> Result<A, Failure> {
        self.known.begin();
        loop {
            let answer = call(self.known.facts())?;
            let queries = undecided(&answer).iter().filter_map(|open| ObjectQuery::read(open.query.as_deref()?));
            // What a policy still asks for after all rounds stays undecided.
            let open = self.known.queries_within(queries, |query| &query.id);
            if !self.answer(open) {
                return Ok(answer);
            }
        }
    }

    /// The facts that are known.
    pub fn facts(&self) -> &[String] {
        self.known.facts()
    }

    /// What queries asked for and different objects are.
    pub fn into_ambiguous(self) -> Vec<Ambiguity> {
        self.ambiguous
    }

    /// Adds a fact for each query that an object answers; whether there is one.
    fn answer(&mut self, queries: Vec<ObjectQuery>) -> bool {
        let known = self.known.facts().len();
        for query in queries {
            let Some(object) = self.object(&query) else { continue };
            let id = serde_json::Value::from(query.id);
            self.known.learn([format!(r#"{{"query":{id},"answer":{{"response":{}}}}}"#, object.json())]);
        }
        self.known.facts().len() > known
    }

    fn object(&mut self, query: &ObjectQuery) -> Option<&'m Document> {
        let identity = &query.identity;
        let is_of_group = |found: &Document| found.group().is_none_or(|of| of == query.group());
        let found = match self.manifests.meant_among(self.by, identity, is_of_group) {
            Meant::One(found) => found,
            Meant::Nothing => return None,
            Meant::Several(candidates) => {
                let ambiguity = Ambiguity::new(identity, &candidates);
                if !self.ambiguous.contains(&ambiguity) {
                    self.ambiguous.push(ambiguity);
                }
                return None;
            }
        };
        let is_left_out = self.left_out.is_some_and(|object| std::ptr::eq(object, found));
        (!is_left_out).then_some(found)
    }
}
