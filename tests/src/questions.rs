//! Everything that engines are asked, to see that they give the same answers.

use serde_json::{Value, json};
use trellis_host::engine::{Engine, Function};

use crate::vectors::{self, Admission};
use crate::{asking, control_planes, corpus, gardener, hostile, mutations, workers};

/// A call of a policy.
#[derive(Debug)]
pub struct Question {
    /// Where it comes from.
    pub name: String,
    /// Provider type.
    pub provider: String,
    /// Function that is called.
    pub function: Function,
    /// JSON text.
    pub request: String,
    /// The answer, where it is written down.
    pub expected: Option<String>,
}

/// What an engine said: an answer, or why there is none.
pub type Answer = Result<String, String>;

/// Asks an engine of the host everything.
pub fn ask(engine: &dyn Engine, questions: &[Question]) -> Vec<Answer> {
    let call = |question: &Question| engine.call(&question.provider, question.function, &question.request);
    questions.iter().map(|question| call(question).map_err(|error| error.to_string())).collect()
}

/// Of the recorded cases of Gardener, each third one is asked about: all would be as many questions as all others together.
const OF_GARDENER: usize = 3;

/// Hostile requests from so many bytes on are asked of one policy by all functions, and of the others by one: all would be most of the
/// time, and every policy reads requests with the same code.
const LARGE: usize = 1 << 20;

/// All questions, in a stable order.
pub fn all() -> Vec<Question> {
    let mut questions = Vec::new();
    for provider in trellis_core::policies().map(str::to_owned) {
        for function in [Function::Info, Function::Rules] {
            questions.push(Question {
                name: format!("{provider}/{}", function.name()),
                provider: provider.clone(),
                function,
                request: "{}".to_owned(),
                expected: None,
            });
        }
        for (name, request) in hostile::requests() {
            let is_asked = |function: &Function| {
                let is_large = request.len() >= LARGE && provider != "alicloud";
                function.takes_request() && (!is_large || *function == Function::Validate)
            };
            for function in Function::ALL.into_iter().filter(is_asked) {
                questions.push(Question {
                    name: format!("hostile/{provider}/{}/{name}", function.name()),
                    provider: provider.clone(),
                    function,
                    request: request.clone(),
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
        provider: "alicloud".to_owned(),
        function: Function::Mutate,
        request: request.to_string(),
        expected: None,
    };
    [request, alone, answered].into_iter().enumerate().map(question).collect()
}

fn of_corpus(case: corpus::Case) -> Question {
    Question {
        name: format!("corpus/{}", case.path()),
        function: function(&case.function),
        expected: Some(case.expected()),
        provider: case.provider,
        request: case.request,
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
            let call = |request: &str| trellis_core::call(provider, function.name(), request);
            let requests = admission.requests(case, call);
            for (round, request) in requests.into_iter().enumerate() {
                questions.push(Question {
                    name: format!("vectors/{provider}/{}/{}, request {}", function.name(), case.id(), round + 1),
                    provider: provider.clone(),
                    function,
                    request,
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
        provider: "gardener".to_owned(),
        function,
        request: recorded.request.clone(),
        expected: None,
    };
    [Function::Validate, Function::Default].map(question).into()
}

/// What is asked about a recorded Worker: without user data, and then with it; its preview; and what becomes of its nodes where a
/// machine type of its Shoot changes.
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
        provider: "alicloud".to_owned(),
        function,
        request,
        expected: None,
    };
    questions.chain([(Function::Rollout, rollout)]).enumerate().map(question).collect()
}

/// What is asked about a recorded control plane: without facts, and then with those that are asked for; and its preview.
fn of_control_plane(case: &Value) -> Vec<Question> {
    let request = control_planes::request(case);
    let mut preview = request.clone();
    preview.as_object_mut().into_iter().for_each(|preview| drop(preview.remove("controlPlane")));
    let rounds = control_planes::requests(&request, &control_planes::live(case)).into_iter().map(|(text, _)| text);
    let question = |(round, request): (usize, String)| Question {
        name: format!("vectors/alicloud/render/{}, request {}", case["id"], round + 1),
        provider: "alicloud".to_owned(),
        function: Function::Render,
        request,
        expected: None,
    };
    rounds.chain([preview.to_string()]).enumerate().map(question).collect()
}
