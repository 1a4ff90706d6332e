use jiff::Timestamp;
use subtle::ConstantTimeEq;

use super::claim::{Claim, Scheme, Secret, Validity};
use super::oss_refusal::OssRefusal;
use super::{CredentialFault, Refusal, VALIDITY, acs3, oss};

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
