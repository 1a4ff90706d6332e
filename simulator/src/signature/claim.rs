use std::fmt;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq;

use super::{CredentialFault, Refusal, VALIDITY, acs3, oss, oss::OssRefusal, rpc};

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
    Rpc(rpc::Digest),
    Acs3 { canonical_request: Vec<u8> },
    OssV1,
    OssV4 { scope: oss::Scope<'a>, canonical_request: Vec<u8> },
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

impl Claim<'_> {
    /// Whether the holder of a secret has signed this request, and lately.
    ///
    /// The time is looked at first, as the cloud does. Signatures are compared in constant time.
    pub fn verify(&self, secret: &Secret, now: Timestamp) -> Result<(), Refusal> {
        self.validity.check(now)?;
        let expected = match &self.scheme {
            Scheme::Rpc(digest) => digest.signature(&self.string_to_sign, secret),
            Scheme::Acs3 { .. } => acs3::signature(&self.string_to_sign, secret),
            Scheme::OssV1 => oss::v1::signature(&self.string_to_sign, secret),
            Scheme::OssV4 { scope, .. } => scope.signature(&self.string_to_sign, secret),
        };
        if expected.as_bytes().ct_eq(self.signature.as_bytes()).into() { Ok(()) } else { Err(self.mismatch()) }
    }

    /// The refusal for what is wrong with the credentials that this claim names, in the words of its service.
    pub fn refuse(&self, fault: CredentialFault) -> Refusal {
        match self.scheme {
            Scheme::Rpc(_) | Scheme::Acs3 { .. } => Refusal::Credential(fault),
            Scheme::OssV1 | Scheme::OssV4 { .. } => {
                OssRefusal::Credential { fault, access_key: self.access_key.to_owned() }.into()
            }
        }
    }

    pub(super) fn mismatch(&self) -> Refusal {
        let string_to_sign = || String::from_utf8_lossy(&self.string_to_sign).into_owned();
        let of_oss = |canonical_request: Option<&[u8]>| {
            Refusal::Oss(OssRefusal::Mismatch {
                access_key: self.access_key.to_owned(),
                signature: self.signature.to_owned(),
                string_to_sign: self.string_to_sign.clone(),
                canonical_request: canonical_request.map(<[u8]>::to_vec),
            })
        };
        match &self.scheme {
            Scheme::Rpc(_) => Refusal::RpcMismatch { string_to_sign: string_to_sign() },
            Scheme::Acs3 { canonical_request } => Refusal::Acs3Mismatch {
                string_to_sign: string_to_sign(),
                canonical_request: String::from_utf8_lossy(canonical_request).into_owned(),
            },
            Scheme::OssV1 => of_oss(None),
            Scheme::OssV4 { canonical_request, .. } => of_oss(Some(canonical_request)),
        }
    }
}

/// Names the access key alone: the rest may hold a security token.
impl fmt::Debug for Claim<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Claim").field("access_key", &self.access_key).finish_non_exhaustive()
    }
}

impl Validity {
    fn check(&self, now: Timestamp) -> Result<(), Refusal> {
        let apart = |time: Timestamp| now.duration_since(time).abs() > VALIDITY;
        match *self {
            Self::Request(time) if apart(time) => Err(Refusal::TimestampExpired),
            Self::OssRequest(request) if apart(request) => Err(OssRefusal::Skewed { request, server: now }.into()),
            Self::OssLink { until, .. } if now > until => {
                Err(OssRefusal::Expired { expires: until, server: now }.into())
            }
            Self::OssLink { from, .. } if from.duration_since(now) > VALIDITY => {
                Err(OssRefusal::Early { request: from, server: now }.into())
            }
            _ => Ok(()),
        }
    }
}
