//! SecretBindings and CredentialsBindings.

use super::Metadata;
use crate::record;

record! {
    /// A SecretBinding or a CredentialsBinding.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Binding<'a> {
        /// Metadata.
        pub metadata: Metadata<'a>,
        /// What a SecretBinding refers to.
        pub secret_ref: ObjectReference<'a>,
        /// What a CredentialsBinding refers to.
        pub credentials_ref: ObjectReference<'a>,
        /// The clouds that the binding is for.
        pub provider: Option<BindingProvider<'a>>,
    }
}

record! {
    /// Reference to an object.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct ObjectReference<'a> {
        /// Group and version.
        pub api_version: &'a str,
        /// Kind.
        pub kind: &'a str,
        /// Namespace.
        pub namespace: &'a str,
        /// Name.
        pub name: &'a str,
    }
}

record! {
    /// The clouds that a binding is for.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct BindingProvider<'a> {
        /// Provider types, separated by commas.
        #[name = "type"]
        pub provider_type: &'a str,
    }
}
