//! Texts: patterns and rules that they match, base64, digests, certificates, URLs, and how the existing extensions
//! print them.

mod atoi;
pub mod base64;
pub mod digest;
mod join;
pub mod nearest;
pub mod pattern;
mod pem;
mod quote;
mod regex;
mod rule;
mod supported;
mod url;
mod uuid;
pub mod yaml;

pub use atoi::atoi;
pub use join::{enumerate, join};
pub use pem::is_certificate;
pub use quote::quote;
pub use regex::{finds, matches_regex};
pub use rule::{Fault, TextRule};
pub use supported::Supported;
pub use url::Url;
pub use uuid::{UuidError, check_uuid};
