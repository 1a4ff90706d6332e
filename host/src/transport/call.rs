//! What is sent: a call whose references are resolved.

/// A call with every argument as it is sent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ResolvedCall {
    /// The API, such as `vpc`.
    pub service: String,
    /// The action, such as `DescribeVSwitches`.
    pub action: String,
    /// Arguments by the names of parameters.
    pub parameters: Vec<(String, Parameter)>,
    /// Whose credentials sign it: a role such as `imageOwner`; the Shoot's account where absent.
    pub account: Option<String>,
    /// What the idempotency token is made of; no token is sent where absent.
    pub token: Option<String>,
}

/// What a parameter is set to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Parameter {
    /// A text; an empty one is not sent.
    Text(String),
    /// A list, sent as `Name.1`, `Name.2`.
    List(Vec<Parameter>),
    /// Members, sent as `Name.Member`.
    Object(Vec<(String, Parameter)>),
}
