use std::borrow::Cow;

use hyper::StatusCode;

use super::credential_fault::CredentialFault;
use super::oss_refusal::OssRefusal;

/// Why a signature is refused, in the words of the cloud: what is displayed is the message of its error.
///
/// The strings to sign are what the server has calculated from the request; no secret is in them, but a security
/// token is where one was sent. Codes, statuses and messages are those of the public error centre and of answers
/// that people have reported.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// A parameter that is part of every signed request is absent or empty. The name is that of the query
    /// parameter, also where a header carries it.
    #[error("{0} is mandatory for this action.")]
    Missing(&'static str),
    /// The authorization does not have the form it should, or leaves out what has to be signed.
    #[error("The request signature does not conform to Aliyun standards.")]
    Incomplete,
    /// The algorithm is none that is known.
    #[error("Specified signature method is not supported.")]
    Method,
    /// `SignatureVersion` is not `1.0`.
    #[error("The specified parameter \"SignatureVersion\" is not valid.")]
    Version,
    /// The time is not spelt `YYYY-MM-DDTHH:MM:SSZ`.
    #[error("Specified time stamp or date value is not well formatted.")]
    TimestampFormat,
    /// The time is further from the server's than [`VALIDITY`](super::VALIDITY).
    #[error("Specified time stamp or date value is expired.")]
    TimestampExpired,
    /// The request was seen before.
    #[error("Specified signature nonce was used already.")]
    NonceUsed,
    /// The credentials are not as they should be.
    #[error("{}", .0.message())]
    Credential(CredentialFault),
    /// The signature of the parameters is not that of the server. SDKs compare what follows the first colon with
    /// their own string to sign: it has no colon of its own.
    #[error("Specified signature is not matched with our calculation. server string to sign is:{string_to_sign}")]
    RpcMismatch {
        /// What the server has signed.
        string_to_sign: String,
    },
    /// The signature of the headers is not that of the server.
    #[error(
        "Specified signature does not match our calculation. server StringToSign is [{string_to_sign}] server \
         CanonicalRequest is [{canonical_request}]"
    )]
    Acs3Mismatch {
        /// What the server has signed.
        string_to_sign: String,
        /// The request that the string to sign is the hash of.
        canonical_request: String,
    },
    /// OSS has errors of its own.
    #[error(transparent)]
    Oss(#[from] OssRefusal),
}

impl Refusal {
    /// The code of the cloud's error, such as `SignatureDoesNotMatch`.
    pub fn code(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Self::Missing(parameter) => return Cow::Owned(format!("Missing{parameter}")),
            Self::Incomplete => "IncompleteSignature",
            Self::Method => "InvalidSignatureMethod",
            Self::Version => "InvalidParameter",
            Self::TimestampFormat => "InvalidTimeStamp.Format",
            Self::TimestampExpired => "InvalidTimeStamp.Expired",
            Self::NonceUsed => "SignatureNonceUsed",
            Self::Credential(fault) => fault.code(),
            Self::RpcMismatch { .. } | Self::Acs3Mismatch { .. } => "SignatureDoesNotMatch",
            Self::Oss(refusal) => refusal.code(),
        })
    }

    /// The HTTP status of the cloud's error.
    pub fn status(&self) -> StatusCode {
        match self {
            Self::Credential(CredentialFault::UnknownKey) => StatusCode::NOT_FOUND,
            Self::Oss(refusal) => refusal.status(),
            _ => StatusCode::BAD_REQUEST,
        }
    }

    /// The message of the cloud's error.
    pub fn message(&self) -> String {
        self.to_string()
    }
}
