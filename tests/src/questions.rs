//! Everything that engines are asked, to see that they give the same answers.

use std::sync::Arc;

use serde_json::{Value, json};
use trellis_policies::engine::{Engine, Function};

use crate::vectors::{self, Admission};
use crate::{asking, control_planes, corpus, gardener, hostile, mutations, workers};

/// A call of a policy.
#[derive(Debug)]
pub struct Question {
    /// What it is about.
    pub name: String,
    /// Where it comes from.
    pub source: Source,
    /// Provider type.
    pub provider: String,
    /// Function that is called.
    pub function: Function,
    /// JSON text, which hostile questions share: some is ten megabytes.
    pub request: Arc<str>,
    /// The answer, where it is written down.
    pub expected: Option<String>,
}

/// Where a question comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// What a policy says of itself.
    Policy,
    /// A request that nobody means well with.
    Hostile,
    /// The corpus.
    Corpus,
    /// What an existing extension or Gardener was asked.
    Recorded,
}

/// What an engine said: an answer, or why there is none.
pub type Answer = Result<String, String>;

impl Question {
    /// What an engine of the host says.
    pub fn ask(&self, engine: &dyn Engine) -> Answer {
        engine.call(&self.provider, self.function, &self.request).map_err(|error| error.to_string())
    }
}

/// Of the recorded cases of Gardener, each third one is asked about: all would be as many questions as all others
/// together.
const OF_GARDENER: usize = 3;

/// Hostile requests from so many bytes on are asked of one policy by all functions, and of the others by one: all
/// would be most of the time, and every policy reads requests with the same code.
const LARGE: usize = 1 << 20;

/// All questions, in a stable order.
pub fn all() -> Vec<Question> {
    let mut questions = Vec::new();
    let hostile: Vec<(&str, Arc<str>)> =
        hostile::requests().into_iter().map(|(name, request)| (name, Arc::from(request))).collect();
    for provider in trellis_core::policies().map(str::to_owned) {
        for function in [Function::Info, Function::Rules] {
            questions.push(Question {
                name: format!("{provider}/{}", function.name()),
                source: Source::Policy,
                provider: provider.clone(),
                function,
                request: "{}".into(),
                expected: None,
            });
        }
        for (name, request) in &hostile {
            let is_asked = |function: &Function| {
                let is_large = request.len() >= LARGE && provider != "alicloud";
                function.takes_request() && (!is_large || *function == Function::Validate)
            };
            for function in Function::ALL.into_iter().filter(is_asked) {
                questions.push(Question {
                    name: format!("hostile/{provider}/{}/{name}", function.name()),
                    source: Source::Hostile,
                    provider: provider.clone(),
                    function,
                    request: Arc::clone(request),
                    expected: None,
                });
            }
        }
    }
    questions.extend(corpus::cases().into_iter().map(of_corpus));
    questions.extend(vectors::admissions().iter().flat_map(of_vectors));
    questions.extend(gardener::requests(OF_GARDENER).iter().flat_map(of_gardener));
    questions.extend(vectors::control_planes("alicloud").iter().flat_map(of_control_plane));
    questions.extend(vectors::workers("alicloud").iter().flat_map(of_worker));
    questions.extend(vectors::webhooks("alicloud").iter().flat_map(of_webhook));
    questions
}

/// What is asked about a recorded webhook: with its Cluster, without it, and with it as a fact.
fn of_webhook(case: &Value) -> Vec<Question> {
    let request = mutations::with_facts(&mutations::request(case), None);
    let mut alone = request.clone();
    alone.as_object_mut().into_iter().for_each(|alone| drop(alone.remove("cluster")));
    alone["facts"] = Vec::<Value>::new().into();
    let answered = mutations::with_facts(&alone, Some(&case["in"]["cluster"]));
    let question = |(round, request): (usize, Value)| Question {
        name: format!("vectors/alicloud/mutate/{}, request {}", case["id"], round + 1),
        source: Source::Recorded,
        provider: "alicloud".to_owned(),
        function: Function::Mutate,
        request: request.to_string().into(),
        expected: None,
    };
    [request, alone, answered].into_iter().enumerate().map(question).collect()
}

fn of_corpus(case: corpus::Case) -> Question {
    Question {
        name: format!("corpus/{}", case.path()),
        source: Source::Corpus,
        function: function(&case.function),
        expected: Some(case.expected()),
        provider: case.provider,
        request: case.request.into(),
    }
}

#[expect(clippy::panic, reason = "a corpus of an unknown function must fail the test")]
fn function(name: &str) -> Function {
    let known = Function::ALL.into_iter().find(|function| function.name() == name);
    known.unwrap_or_else(|| panic!("the corpus has cases of `{name}`, which is no function"))
}

fn of_vectors(admission: &Admission) -> Vec<Question> {
    let (mut questions, provider) = (Vec::new(), &admission.provider);
    for case in &admission.cases {
        for function in [Function::Validate, Function::Default, Function::Addresses] {
            for (round, (request, _)) in admission.asked(case, function.name()).into_iter().enumerate() {
                questions.push(Question {
                    name: format!("vectors/{provider}/{}/{}, request {}", function.name(), case.id(), round + 1),
                    source: Source::Recorded,
                    provider: provider.clone(),
                    function,
                    request: request.into(),
                    expected: None,
                });
            }
        }
    }
    questions
}

fn of_gardener(recorded: &gardener::Recorded) -> Vec<Question> {
    let question = |function: Function| Question {
        name: format!("vectors/gardener/{}/{}", function.name(), recorded.id),
        source: Source::Recorded,
        provider: "gardener".to_owned(),
        function,
        request: recorded.request.as_str().into(),
        expected: None,
    };
    [Function::Validate, Function::Default].map(question).into()
}

/// What is asked about a recorded Worker: without user data, and then with it; its preview; and what becomes of
/// its nodes where a machine type of its Shoot changes.
fn of_worker(case: &Value) -> Vec<Question> {
    let request = workers::request(case);
    let rounds = asking::asked("workers", &request, &workers::live(case)).into_iter().map(|(text, _)| text);
    let preview = json!({ "cluster": request["cluster"] }).to_string();
    let (mut shoot, old) = (request["cluster"]["shoot"].clone(), request["cluster"]["shoot"].clone());
    shoot["spec"]["provider"]["workers"][0]["machine"]["type"] = "ecs.other".into();
    let rollout = json!({ "object": shoot, "oldObject": old }).to_string();
    let questions = rounds.chain([preview]).map(|request| (Function::Workers, request));
    let question = |(round, (function, request)): (usize, (Function, String))| Question {
        name: format!("vectors/alicloud/{}/{}, request {}", function.name(), case["id"], round + 1),
        source: Source::Recorded,
        provider: "alicloud".to_owned(),
        function,
        request: request.into(),
        expected: None,
    };
    questions.chain([(Function::Rollout, rollout)]).enumerate().map(question).collect()
}

/// What is asked about a recorded control plane: without facts, and then with those that are asked for; and its
/// preview.
fn of_control_plane(case: &Value) -> Vec<Question> {
    let request = control_planes::request(case);
    let mut preview = request.clone();
    preview.as_object_mut().into_iter().for_each(|preview| drop(preview.remove("controlPlane")));
    let rounds = control_planes::requests(&request, &control_planes::live(case)).into_iter().map(|(text, _)| text);
    let question = |(round, request): (usize, String)| Question {
        name: format!("vectors/alicloud/render/{}, request {}", case["id"], round + 1),
        source: Source::Recorded,
        provider: "alicloud".to_owned(),
        function: Function::Render,
        request: request.into(),
        expected: None,
    };
    rounds.chain([preview.to_string()]).enumerate().map(question).collect()
}
