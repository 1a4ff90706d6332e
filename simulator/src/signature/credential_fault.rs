/// What can be wrong with the credentials that a [`Claim`](super::Claim) names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CredentialFault {
    /// No such access key.
    UnknownKey,
    /// The access key is switched off.
    DisabledKey,
    /// The access key is a temporary one, and no security token was sent.
    MissingToken,
    /// The security token was never given out.
    MalformedToken,
    /// The security token belongs to another access key.
    MismatchedToken,
    /// The security token has expired.
    ExpiredToken,
}

impl CredentialFault {
    pub(super) fn code(self) -> &'static str {
        match self {
            Self::UnknownKey => "InvalidAccessKeyId.NotFound",
            Self::DisabledKey => "InvalidAccessKeyId.Inactive",
            Self::MissingToken => "MissingSecurityToken",
            Self::MalformedToken => "InvalidSecurityToken.Malformed",
            Self::MismatchedToken => "InvalidSecurityToken.MismatchWithAccessKey",
            Self::ExpiredToken => "InvalidSecurityToken.Expired",
        }
    }

    pub(super) fn message(self) -> &'static str {
        match self {
            Self::UnknownKey => "Specified access key is not found.",
            Self::DisabledKey => "Specified access key is disabled.",
            Self::MissingToken => "SecurityToken is mandatory for this action.",
            Self::MalformedToken => "Specified SecurityToken is malformed.",
            Self::MismatchedToken => "Specified SecurityToken mismatch with the AccessKey.",
            Self::ExpiredToken => "Specified SecurityToken is expired.",
        }
    }
}
