use std::fmt::Write;

use hyper::StatusCode;
use jiff::Timestamp;

use super::VALIDITY;
use super::credential_fault::CredentialFault;

/// Why OSS refuses a signature: what is displayed is the message of its error.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OssRefusal {
    /// Nothing says who has sent the request.
    #[error("Anonymous user has no right to access this bucket.")]
    Anonymous,
    /// There is no time, or not in a spelling that is known.
    #[error("OSS authentication requires a valid Date.")]
    Date,
    /// What belongs to a signature does not have the form it should.
    #[error("{0}")]
    Argument(String),
    /// A link without one of the three parameters that make it one, or with an `Expires` that is no time.
    #[error("{0} is missing or invalid in the signed URL.")]
    Link(&'static str),
    /// The request is further from the server's time than [`VALIDITY`].
    #[error("The difference between the request time and the current time is too large.")]
    Skewed {
        /// What the request says.
        request: Timestamp,
        /// What the server says.
        server: Timestamp,
    },
    /// The link has expired.
    #[error("Request has expired.")]
    Expired {
        /// The last instant of the link.
        expires: Timestamp,
        /// What the server says.
        server: Timestamp,
    },
    /// The link is not valid yet.
    #[error("Request is not valid yet.")]
    Early {
        /// The first instant of the link.
        request: Timestamp,
        /// What the server says.
        server: Timestamp,
    },
    /// The credentials are not as they should be.
    #[error("{}", credential(*.fault).1)]
    Credential {
        /// What is wrong with them.
        fault: CredentialFault,
        /// The access key that was named.
        access_key: String,
    },
    /// The signature is not that of the server.
    #[error(
        "The request signature we calculated does not match the signature you provided. Check your key and signing method."
    )]
    Mismatch {
        /// The access key that was named.
        access_key: String,
        /// The signature that was sent.
        signature: String,
        /// What the server has signed. Headers can bring bytes into it that are no text.
        string_to_sign: Vec<u8>,
        /// The request that a string to sign of V4 is the hash of.
        canonical_request: Option<Vec<u8>>,
    },
}

impl OssRefusal {
    /// The code of the cloud's error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Argument(_) => "InvalidArgument",
            Self::Skewed { .. } => "RequestTimeTooSkewed",
            Self::Mismatch { .. } => "SignatureDoesNotMatch",
            Self::Credential { fault, .. } => credential(*fault).0,
            Self::Anonymous | Self::Date | Self::Link(_) | Self::Expired { .. } | Self::Early { .. } => {
                "AccessDenied"
            }
        }
    }

    /// The HTTP status of the cloud's error.
    pub fn status(&self) -> StatusCode {
        match self {
            Self::Argument(_) => StatusCode::BAD_REQUEST,
            _ => StatusCode::FORBIDDEN,
        }
    }

    /// The elements that the XML of the error has in addition to code and message: their names and texts.
    pub fn details(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::Anonymous | Self::Date | Self::Argument(_) | Self::Link(_) => Vec::new(),
            Self::Skewed { request, server } => vec![
                ("MaxAllowedSkewMilliseconds", VALIDITY.as_millis().to_string()),
                ("RequestTime", instant(*request)),
                ("ServerTime", instant(*server)),
            ],
            Self::Expired { expires, server } => {
                vec![("Expires", instant(*expires)), ("ServerTime", instant(*server))]
            }
            Self::Early { request, server } => {
                vec![("RequestTime", instant(*request)), ("ServerTime", instant(*server))]
            }
            Self::Credential { access_key, .. } => vec![("OSSAccessKeyId", access_key.clone())],
            Self::Mismatch { access_key, signature, string_to_sign, canonical_request } => {
                let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
                let mut details = vec![
                    ("OSSAccessKeyId", access_key.clone()),
                    ("SignatureProvided", signature.clone()),
                    ("StringToSign", text(string_to_sign)),
                    ("StringToSignBytes", hex(string_to_sign)),
                ];
                if let Some(canonical_request) = canonical_request {
                    details.push(("CanonicalRequest", text(canonical_request)));
                    details.push(("CanonicalRequestBytes", hex(canonical_request)));
                }
                details
            }
        }
    }
}

/// The code and the message for what is wrong with credentials.
fn credential(fault: CredentialFault) -> (&'static str, &'static str) {
    match fault {
        CredentialFault::UnknownKey => {
            ("InvalidAccessKeyId", "The OSS Access Key Id you provided does not exist in our records.")
        }
        CredentialFault::DisabledKey => ("InvalidAccessKeyId", "The OSS Access Key Id you provided is disabled."),
        CredentialFault::MissingToken => (
            "InvalidAccessKeyId",
            "The OSS Access Key Id you provided does not exist in our records. The Security Token may be lost to \
             specify that it is a STS Access Id.",
        ),
        CredentialFault::MalformedToken | CredentialFault::MismatchedToken => {
            ("InvalidSecurityToken", "The security token you provided is invalid.")
        }
        CredentialFault::ExpiredToken => ("SecurityTokenExpired", "The security token you provided has expired."),
    }
}

fn instant(time: Timestamp) -> String {
    time.strftime("%Y-%m-%dT%H:%M:%S.000Z").to_string()
}

/// Bytes in upper-case hex with a space between, as OSS shows what it has signed.
fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 3);
    for byte in bytes {
        let separator = if text.is_empty() { "" } else { " " };
        // Writing into a text does not fail.
        let _ = write!(text, "{separator}{byte:02X}");
    }
    text
}
