//! The object of a cluster that a policy asks for.

use serde::Deserialize;

/// An object that no file has.
#[derive(Debug)]
pub(in crate::cli) struct Asked {
    group: String,
    kind: String,
    namespace: String,
    name: String,
    is_in_shoot: bool,
}

#[derive(Deserialize)]
struct Query {
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

impl Asked {
    /// Reads a query; none where it asks for something else.
    pub(super) fn of(query: &str) -> Option<Self> {
        let Query { call: Call { service, action, parameters } } = serde_json::from_str(query).ok()?;
        let Parameters { api_version, kind, namespace, name, cluster } = parameters;
        let group = api_version.rsplit_once('/').map_or("", |(group, _)| group).to_owned();
        let is_object = service == "kubernetes" && action == "get";
        is_object.then_some(Self { group, kind, namespace, name, is_in_shoot: cluster == "shoot" })
    }

    /// What the person can do: the object to add, the command that prints it, and how to tell that there is none.
    pub(super) fn help(&self) -> String {
        let Self { group, kind, namespace, name, .. } = self;
        let dot = if group.is_empty() { "" } else { "." };
        let within = if namespace.is_empty() { String::new() } else { format!(" -n {namespace}") };
        let resource = kind.to_lowercase();
        format!(
            "add {self} to the files: `kubectl get {resource}{dot}{group}{within} {name} -o yaml`; or answer the query, which \
             `-o json` shows, with `--facts FILE`"
        )
    }
}

/// `Secret shoot--dev--a/cloudprovider of the seed`
impl std::fmt::Display for Asked {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { kind, namespace, name, is_in_shoot, .. } = self;
        let slash = if namespace.is_empty() { "" } else { "/" };
        let cluster = if *is_in_shoot { "Shoot" } else { "seed" };
        write!(formatter, "{kind} {namespace}{slash}{name} of the {cluster}")
    }
}
