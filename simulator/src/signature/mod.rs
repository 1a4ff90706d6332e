//! Signatures of requests: who a request says has sent it, and whether that is true.
//!
//! | module | what is signed | algorithm |
//! |---|---|---|
//! | [`rpc`] | query and form parameters | HMAC-SHA1, `SignatureVersion=1.0` |
//! | [`acs3`] | method, path, query, headers, body | `ACS3-HMAC-SHA256` |
//! | [`oss`] | method, object, sub-resources, headers | OSS V1 and V4, in a header or in a link |
//!
//! Each module reads a [`Claim`] from a request. The claim names an access key; the code that knows that key's
//! [`Secret`] asks the claim to [verify](Claim::verify) itself. What is wrong on the way is a [`Refusal`],
//! which has the code, the HTTP status and the message of the cloud. That a signature of the first two kinds is
//! used once is up to [`nonces`].
//!
//! Nothing here does I/O or looks at a clock, and nothing is believed of a request before it is verified.

use std::borrow::Cow;

use hmac::{
    Mac,
    digest::{KeyInit, Output},
};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC};

pub mod acs3;
mod claim;
mod credential_fault;
pub mod nonces;
pub mod oss;
mod oss_refusal;
mod refusal;
pub mod rpc;
#[cfg(test)]
mod testing;
mod time;
mod verify;

pub use claim::{Claim, Secret};
pub use credential_fault::CredentialFault;
pub use refusal::Refusal;
pub use time::VALIDITY;

/// One parameter of a query or a form, decoded: its name and its value.
pub type Pair<'a> = (Cow<'a, str>, Cow<'a, str>);

/// What is percent-encoded in everything that is signed: all but the unreserved characters of RFC 3986.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The value of the first parameter with this name that is not empty.
fn find<'a>(pairs: &'a [Pair<'_>], name: &str) -> Option<&'a str> {
    pairs.iter().find(|(key, value)| key == name && !value.is_empty()).map(|(_, value)| value.as_ref())
}

/// The message authentication code `M` of a message.
#[expect(clippy::expect_used, reason = "an HMAC takes keys of any length")]
fn mac<M: Mac + KeyInit>(key: &[u8], message: &[u8]) -> Output<M> {
    <M as Mac>::new_from_slice(key).expect("a key of any length").chain_update(message).finalize().into_bytes()
}
