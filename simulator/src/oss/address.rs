//! The address of a request: the service, a bucket or an object, and the region.

use percent_encoding::percent_decode_str;

use crate::action::CloudError;
use crate::regions;
use crate::service::oss::errors::{INVALID_ARGUMENT, INVALID_OBJECT_NAME};

/// The address of a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Address {
    /// The bucket.
    pub bucket: Option<String>,
    /// The object.
    pub key: Option<String>,
    /// The region that the host names.
    pub region: Option<&'static str>,
}

/// The ends of this service's hosts: the cloud's own, and a name of this machine below which any name resolves.
const DOMAINS: [&str; 2] = ["aliyuncs.com", "localhost"];

/// The parts of a host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Host<'a> {
    bucket: Option<&'a str>,
    /// The region's part: `oss-cn-shanghai-internal`.
    endpoint: Option<&'a str>,
}

impl<'a> Host<'a> {
    /// Reads `<bucket>.oss-<region>.aliyuncs.com`, with or without a bucket and a port. Other hosts, such as
    /// addresses, say nothing.
    pub(super) fn read(host: &'a str) -> Self {
        let name = match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
            _ => host,
        };
        let labels = DOMAINS.iter().find_map(|domain| name.strip_suffix(domain)?.strip_suffix('.'));
        let Some(labels) = labels else { return Self::default() };
        let (bucket, last) = match labels.rsplit_once('.') {
            Some((bucket, last)) => (Some(bucket), last),
            None => (None, labels),
        };
        if last == "oss" || last.starts_with("oss-") {
            Self { bucket, endpoint: Some(last) }
        } else if name.ends_with("localhost") {
            Self { bucket: Some(labels), endpoint: None }
        } else {
            Self::default()
        }
    }

    /// Whether the host is one of this service's.
    pub(super) fn is_ours(self) -> bool {
        self != Self::default()
    }

    fn region(self) -> Result<Option<&'static str>, CloudError> {
        let Some(endpoint) = self.endpoint.and_then(|endpoint| endpoint.strip_prefix("oss-")) else {
            return Ok(None);
        };
        let name = endpoint.strip_suffix("-internal").unwrap_or(endpoint);
        match regions::region(name) {
            Some(region) => Ok(Some(region.id)),
            None if matches!(name, "accelerate" | "accelerate-overseas") => Ok(None),
            None => Err(INVALID_ARGUMENT.because(format!("There is no region {name}."))),
        }
    }
}

impl Address {
    /// Reads an address of the host and the path, percent-encoded, of a request. Where the host names a bucket,
    /// the path is that of an object; else the bucket's name is its first part.
    pub fn read(host: &str, path: &str) -> Result<Self, CloudError> {
        let host = Host::read(host);
        let path = path.strip_prefix('/').unwrap_or(path);
        let (bucket, key) = match host.bucket {
            Some(bucket) => (bucket, path),
            None => path.split_once('/').unwrap_or((path, "")),
        };
        let decode = |text: &str| match percent_decode_str(text).decode_utf8() {
            Ok(text) if text.is_empty() => Ok(None),
            Ok(text) => Ok(Some(text.into_owned())),
            Err(_) => Err(CloudError::from(&INVALID_OBJECT_NAME)),
        };
        Ok(Self { bucket: decode(bucket)?, key: decode(key)?, region: host.region()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(bucket: &str, key: &str, region: Option<&'static str>) -> Address {
        let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        Address { bucket: some(bucket), key: some(key), region }
    }

    #[test]
    fn hosts_and_paths_name_bucket_object_and_region() {
        let shanghai = Some("cn-shanghai");
        for (host, path, expected) in [
            ("oss-cn-shanghai.aliyuncs.com", "/", address("", "", shanghai)),
            ("b.oss-cn-shanghai.aliyuncs.com", "/", address("b", "", shanghai)),
            ("b.oss-cn-shanghai.aliyuncs.com:80", "/a/c", address("b", "a/c", shanghai)),
            ("b.oss-cn-shanghai-internal.aliyuncs.com", "/a", address("b", "a", shanghai)),
            ("oss-cn-shanghai.aliyuncs.com", "/b/a", address("b", "a", shanghai)),
            ("oss.aliyuncs.com", "/b/a", address("b", "a", None)),
            ("b.oss-accelerate.aliyuncs.com", "/a", address("b", "a", None)),
            ("127.0.0.1:8751", "/b/a%2Fc%20d", address("b", "a/c d", None)),
            ("127.0.0.1:8751", "/b", address("b", "", None)),
            ("127.0.0.1:8751", "/b/", address("b", "", None)),
            ("127.0.0.1:8751", "/b//a", address("b", "/a", None)),
            ("[::1]:8751", "/b/a", address("b", "a", None)),
            ("localhost:8751", "/b/a", address("b", "a", None)),
            ("b.localhost:8751", "/a", address("b", "a", None)),
            ("b.oss-cn-shanghai.localhost:8751", "/a", address("b", "a", shanghai)),
            ("vpc.aliyuncs.com", "/b/a", address("b", "a", None)),
            ("", "", address("", "", None)),
        ] {
            assert_eq!(Address::read(host, path), Ok(expected), "{host}{path}");
        }
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for (host, path, code) in
            [("oss-mars.aliyuncs.com", "/", "InvalidArgument"), ("127.0.0.1", "/b/%ff", "InvalidObjectName")]
        {
            assert_eq!(Address::read(host, path).unwrap_err().error.code, code, "{host}{path}");
        }
    }
}
