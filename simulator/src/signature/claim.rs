use std::fmt;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// The secret of an access key. Only signatures are made of it; it is never printed.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// Takes the text of an AccessKeySecret.
    pub fn new(secret: impl Into<String>) -> Self {
        Self(secret.into())
    }

    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// The sender that a request claims, before that is verified.
///
/// Its text is the request's own.
pub struct Claim<'a> {
    /// The access key that the request names. Its secret has to be that of the signature.
    pub access_key: &'a str,
    /// The security token sent along, as temporary credentials need it. To compare with that of the access key.
    pub security_token: Option<&'a str>,
    /// What makes the request unlike any other of this access key; OSS has none.
    pub nonce: Option<&'a str>,
    /// The region that the signature is for, which only OSS V4 signs.
    pub region: Option<&'a str>,
    pub(super) scheme: Scheme<'a>,
    pub(super) validity: Validity,
    pub(super) string_to_sign: Vec<u8>,
    pub(super) signature: &'a str,
}

/// How a signature is made of a string to sign.
pub(super) enum Scheme<'a> {
    Rpc(Digest),
    Acs3 { canonical_request: Vec<u8> },
    OssV1,
    OssV4 { scope: Scope<'a>, canonical_request: Vec<u8> },
}

/// When a request may be answered.
pub(super) enum Validity {
    /// Around the time of a request to an RPC service.
    Request(Timestamp),
    /// Around the time of a request to OSS.
    OssRequest(Timestamp),
    /// While a link to OSS lasts. Its first instant may be ahead of the server's clock by [`VALIDITY`].
    OssLink { from: Timestamp, until: Timestamp },
}

/// Names the access key alone: the rest may hold a security token.
impl fmt::Debug for Claim<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Claim").field("access_key", &self.access_key).finish_non_exhaustive()
    }
}

/// The hash function below the HMAC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Digest {
    Sha1,
    Sha256,
}

/// What the key of a signature is derived for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scope<'a> {
    /// `date/region/product/aliyun_v4_request`.
    pub(super) text: &'a str,
    pub(super) date: &'a str,
    pub(super) region: &'a str,
    pub(super) product: &'a str,
}
