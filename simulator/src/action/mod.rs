//! What an action of the cloud is: its parameters, its answer, its errors and what it does, declared in one place.
//!
//! ```
//! use trellis_simulator::action::{Action, Call, CloudError, TEXT, field, required};
//! use trellis_simulator::world::World;
//!
//! const ECHO: Action = Action::read("Echo", echo)
//!     .parameters(&[required("Text", TEXT)])
//!     .answer(&[field("Text", trellis_simulator::action::Shape::Text)]);
//!
//! fn echo(_: &World, call: &Call<'_>) -> Result<serde_json::Value, CloudError> {
//!     Ok(serde_json::json!({ "Text": call.text("Text") }))
//! }
//! ```

mod arguments;
mod call;
mod error;
mod form;
mod page;
mod shape;
mod tags;
mod wildcard;

use std::time::Duration;

use hyper::body::Bytes;
use serde_json::{Map, Value};

use crate::resource::Status;
use crate::settings::Quota;
use crate::world::World;

pub use arguments::{Arguments, Problem};
pub use call::{Call, Caller, Principal};
pub use error::{CloudError, ErrorCode, common};
pub use form::{
    ADDRESS, ADDRESS6, ANY, BOOLEAN, CIDR4, CIDR6, COUNT, Form, INTEGER, Parameter, Rule, TEXT, TIME, TOKEN, list,
    optional, records, required,
};
pub use page::{Page, Start, page, slice, start};
pub(crate) use shape::project;
pub use shape::{Field, Mismatch, Shape, field, items, record};
pub use tags::{TAG_FILTER, TAG_SHAPE, TAG_WORD, TAGS};
pub(crate) use wildcard::like;

/// A service of the cloud: a product with one version of its API.
#[derive(Debug)]
pub struct Service {
    /// The product's name as its SDKs spell it, such as `Vpc`.
    pub name: &'static str,
    /// The version of its API, which distinguishes services on one port.
    pub version: &'static str,
    /// The product in RAM policies and in the names of settings and faults, such as `vpc`.
    pub code: &'static str,
    /// What it can do.
    pub actions: &'static [&'static [Action]],
    /// The limits on numbers of resources.
    pub quotas: &'static [&'static Quota],
}

impl Service {
    /// All its actions.
    pub fn actions(&self) -> impl Iterator<Item = &'static Action> + use<> {
        self.actions.iter().copied().flatten()
    }

    /// The action of this name. Names are compared as the cloud does, exactly.
    pub fn action(&self, name: &str) -> Option<&'static Action> {
        self.actions().find(|action| action.name == name)
    }
}

/// Reads a world and answers.
pub type Read = fn(&World, &Call<'_>) -> Result<Value, CloudError>;
/// Changes a world, or refuses and leaves it as it was.
pub type Write = fn(&mut World, &Call<'_>) -> Result<Value, CloudError>;

/// What is answered to a call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// What the action declares.
    pub fields: Map<String, Value>,
    /// The content of an object, from the actions that give one.
    pub content: Bytes,
}

/// What an action does.
#[derive(Clone, Copy, Debug)]
pub enum Run {
    /// It reads.
    Read(Read),
    /// It changes something.
    Write(Write),
}

/// The part of a request that holds a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the query.
    Query,
    /// In the body, as a form.
    Form,
}

/// The parameters of an action that are in the form; the others are in the query.
#[derive(Clone, Copy, Debug)]
pub enum InForm {
    /// None.
    Nothing,
    /// All.
    Everything,
    /// These.
    These(&'static [&'static str]),
}

/// An action of a service.
#[derive(Debug)]
pub struct Action {
    /// Its name on the wire.
    pub name: &'static str,
    /// The parameters that it takes; all others are refused.
    pub parameters: &'static [Parameter],
    /// The parameters that the official SDKs of the newer generation send in the form.
    pub in_form: InForm,
    /// Parameters of the cloud's action that the simulator refuses, or keeps where the action says so.
    pub left_out: &'static [&'static str],
    /// What it answers, in addition to the `RequestId`.
    pub answer: &'static [Field],
    /// The errors that it may give, in addition to the [common] ones.
    pub errors: &'static [&'static ErrorCode],
    /// The states that a resource goes through after it, in their order.
    pub states: &'static [Status],
    /// The duration of the transition that it starts.
    pub takes: Duration,
    /// Whether a caller who may not call it sees an empty cloud, and no error.
    pub empty_if_forbidden: bool,
    /// What it does.
    pub run: Run,
}

impl Action {
    /// An action that changes nothing.
    pub const fn read(name: &'static str, read: Read) -> Self {
        Self::new(name, Run::Read(read))
    }

    /// An action that changes something.
    pub const fn write(name: &'static str, write: Write) -> Self {
        Self::new(name, Run::Write(write))
    }

    const fn new(name: &'static str, run: Run) -> Self {
        Self {
            name,
            parameters: &[],
            in_form: InForm::Nothing,
            left_out: &[],
            answer: &[],
            errors: &[],
            states: &[],
            takes: Duration::ZERO,
            empty_if_forbidden: false,
            run,
        }
    }

    /// Declares the parameters.
    pub const fn parameters(mut self, parameters: &'static [Parameter]) -> Self {
        self.parameters = parameters;
        self
    }

    /// Declares which parameters are in the form.
    pub const fn in_form(mut self, in_form: InForm) -> Self {
        self.in_form = in_form;
        self
    }

    /// Declares parameters of the cloud's action that the simulator refuses.
    pub const fn left_out(mut self, names: &'static [&'static str]) -> Self {
        self.left_out = names;
        self
    }

    /// Declares the answer.
    pub const fn answer(mut self, fields: &'static [Field]) -> Self {
        self.answer = fields;
        self
    }

    /// Declares the errors.
    pub const fn errors(mut self, errors: &'static [&'static ErrorCode]) -> Self {
        self.errors = errors;
        self
    }

    /// Declares the states that a resource goes through after it, in their order.
    pub const fn through(mut self, states: &'static [Status]) -> Self {
        self.states = states;
        self
    }

    /// Declares the duration of the transition that it starts.
    pub const fn takes(mut self, time: Duration) -> Self {
        self.takes = time;
        self
    }

    /// Declares that a caller who may not call it sees an empty cloud, and no error.
    pub const fn empty_if_forbidden(mut self) -> Self {
        self.empty_if_forbidden = true;
        self
    }

    /// The part of a request that holds the parameter of this name, which has no numbers.
    pub fn place(&self, name: &str) -> Place {
        match self.in_form {
            InForm::Everything => Place::Form,
            InForm::These(names) if names.contains(&name) => Place::Form,
            InForm::Nothing | InForm::These(_) => Place::Query,
        }
    }

    /// The parameter of this name.
    pub fn parameter(&self, name: &str) -> Option<&'static Parameter> {
        self.parameters.iter().find(|parameter| parameter.name == name)
    }
}
