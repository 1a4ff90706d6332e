//! The object of a cluster that a policy asks for.

use serde_json::value::RawValue;

use trellis_policies::judge::ObjectQuery;
use trellis_policies::manifest::Identity;

/// An object that no file has.
#[derive(Debug)]
pub(crate) struct Asked(Box<ObjectQuery>);

impl Asked {
    /// Reads a query; none where it asks for something else.
    pub(super) fn of(query: &RawValue) -> Option<Self> {
        ObjectQuery::read(query).map(|query| Self(Box::new(query)))
    }

    /// What the person can do: the object to add, the command that prints it, and how to answer that there is
    /// none.
    pub(super) fn help(&self) -> String {
        let Self(query) = self;
        let (group, Identity { kind, namespace, name }) = (query.group(), &query.identity);
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
        let ObjectQuery { identity, is_in_shoot, .. } = &*self.0;
        write!(formatter, "{identity} of the {}", if *is_in_shoot { "Shoot" } else { "seed" })
    }
}
