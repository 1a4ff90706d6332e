//! An RPC request: its action, its parameters, and the sender that it claims.

use std::borrow::Cow;
use std::iter;

use hyper::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HOST};
use hyper::http::request::Parts;
use hyper::{HeaderMap, Method};

use super::Format;
use crate::action::{Action, CloudError, ErrorCode, Place, Service, common};
use crate::regions;
use crate::service;
use crate::signature::{Claim, Pair, Refusal, acs3, rpc};

/// The most parameters of a request: a hundred rules of a security group have a dozen each.
const MOST: usize = 4096;

/// Parameters that every request may have, which no action declares.
const COMMON: [&str; 11] = [
    "AccessKeyId",
    "Action",
    "Format",
    "SecurityToken",
    "Signature",
    "SignatureMethod",
    "SignatureNonce",
    "SignatureType",
    "SignatureVersion",
    "Timestamp",
    "Version",
];

/// The request method is neither GET nor POST.
pub const UNSUPPORTED_METHOD: ErrorCode =
    ErrorCode::new(403, "UnsupportedHTTPMethod", "This http method is not supported.");
/// The body is no form.
pub const UNSUPPORTED_BODY: ErrorCode =
    ErrorCode::new(400, "UnsupportedContentType", "The body must be a form: application/x-www-form-urlencoded.");
/// Too many parameters.
pub const TOO_MANY: ErrorCode =
    ErrorCode::new(400, "InvalidParameter", "The request has more than 4096 parameters.");

/// How a request is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Generation {
    /// The older one: its parameters, by HMAC-SHA1.
    Parameters,
    /// The newer one: all of it, by ACS3-HMAC-SHA256.
    Acs3,
}

/// An RPC request.
#[derive(Debug)]
pub struct Request<'a> {
    head: &'a Parts,
    body: &'a [u8],
    /// How it is signed.
    pub generation: Generation,
    query: Vec<Pair<'a>>,
    /// The parameters of the query, then those of the form.
    parameters: Vec<Pair<'a>>,
}

impl<'a> Request<'a> {
    /// Reads the parameters of a request.
    pub fn read(head: &'a Parts, body: &'a [u8]) -> Result<Self, CloudError> {
        if head.method != Method::GET && head.method != Method::POST {
            return Err((&UNSUPPORTED_METHOD).into());
        }
        let query = pairs(head.uri.query().unwrap_or_default().as_bytes())?;
        let mut parameters = query.clone();
        if !body.is_empty() {
            if !is_form(&head.headers) {
                return Err((&UNSUPPORTED_BODY).into());
            }
            parameters.extend(pairs(body)?);
        }
        if parameters.len() > MOST {
            return Err((&TOO_MANY).into());
        }
        let authorization = head.headers.get(AUTHORIZATION).map(hyper::header::HeaderValue::as_bytes);
        let acs3 = authorization.is_some_and(|value| value.starts_with(b"ACS3-"));
        let generation = if acs3 { Generation::Acs3 } else { Generation::Parameters };
        Ok(Self { head, body, generation, query, parameters })
    }

    /// The format of its answer: XML unless the request names another, and JSON in the newer generation.
    pub fn format(&self) -> Result<Format, CloudError> {
        match self.parameter("Format") {
            Some(text) if text.eq_ignore_ascii_case("json") => Ok(Format::Json),
            Some(text) if text.eq_ignore_ascii_case("xml") => Ok(Format::Xml),
            Some(_) => Err((&common::INVALID_FORMAT).into()),
            None if self.generation == Generation::Parameters => Ok(Format::Xml),
            None => {
                let accept = self.header(ACCEPT.as_str()).unwrap_or_default();
                Ok(if accept.contains("xml") && !accept.contains("json") { Format::Xml } else { Format::Json })
            }
        }
    }

    /// The name of the action that it asks for, whether that exists or not.
    pub fn action_name(&self) -> Option<&str> {
        self.named("x-acs-action", "Action")
    }

    /// The version of the API that it speaks.
    pub fn version(&self) -> Option<&str> {
        self.named("x-acs-version", "Version")
    }

    /// The action that it asks for.
    pub fn action(&self) -> Result<(&'static Service, &'static Action), CloudError> {
        let action = self.action_name().ok_or_else(|| CloudError::missing("Action"))?;
        let version = self.version().ok_or_else(|| CloudError::missing("Version"))?;
        let service = service::rpc_service(version).ok_or(&common::INVALID_VERSION)?;
        Ok((service, service.action(action).ok_or(&common::INVALID_ACTION)?))
    }

    /// The sender that the request claims.
    pub fn claim(&'a self) -> Result<Claim<'a>, Refusal> {
        match self.generation {
            Generation::Parameters => rpc::claim(&self.head.method, &self.parameters),
            Generation::Acs3 => acs3::claim(&acs3::Request {
                method: &self.head.method,
                path: self.head.uri.path(),
                query: &self.query,
                headers: &self.head.headers,
                body: self.body,
            }),
        }
    }

    /// The region of the request: by its parameter, else by the host that it is sent to.
    pub fn region(&self, action: &Action) -> Result<Option<&'static str>, CloudError> {
        let known = |id: &str| regions::region(id).map(|region| region.id);
        let given = self.placed(action).find(|(name, id)| name == "RegionId" && !id.is_empty());
        if let Some((_, id)) = given {
            return known(id).map(Some).ok_or_else(|| (&common::INVALID_REGION).into());
        }
        let host = self.header(HOST.as_str()).unwrap_or_default();
        Ok(host.split('.').find_map(known))
    }

    /// The parameters for an action, in which no name stands twice.
    pub fn parameters(&self, action: &Action) -> Result<Vec<(String, String)>, CloudError> {
        let common =
            |name: &str| COMMON.contains(&name) || name == "RegionId" && action.parameter("RegionId").is_none();
        let given = self.placed(action).filter(|(name, _)| !common(name));
        let mut given: Vec<_> = given.map(|(name, value)| (name.to_string(), value.to_string())).collect();
        given.sort_by(|a, b| a.0.cmp(&b.0));
        match given.windows(2).find(|pair| matches!(pair, [a, b] if a.0 == b.0)) {
            Some([(name, _), ..]) => Err(CloudError::invalid(name, "given once")),
            _ => Ok(given),
        }
    }

    /// The parameters that the action sees. In the newer generation, each parameter must be at its place. The
    /// signature of the older generation does not distinguish query and form, and some of its clients send all
    /// parameters in the one or the other.
    fn placed(&self, action: &Action) -> impl Iterator<Item = &Pair<'a>> {
        let is_placed = move |(place, (name, _)): &(Place, &Pair<'a>)| {
            let parameter = name.split('.').next().unwrap_or_default();
            self.generation == Generation::Parameters || action.place(parameter) == *place
        };
        let places = iter::repeat_n(Place::Query, self.query.len()).chain(iter::repeat(Place::Form));
        places.zip(&self.parameters).filter(is_placed).map(|(_, pair)| pair)
    }

    fn named(&self, header: &str, parameter: &str) -> Option<&str> {
        let header = (self.generation == Generation::Acs3).then(|| self.header(header)).flatten();
        header.or_else(|| self.parameter(parameter)).filter(|name| !name.is_empty())
    }

    fn parameter(&self, name: &str) -> Option<&str> {
        let of_name = self.parameters.iter().find(|(key, value)| key == name && !value.is_empty());
        of_name.map(|(_, value)| value.as_ref())
    }

    fn header(&self, name: &str) -> Option<&str> {
        self.head.headers.get(name)?.to_str().ok()
    }
}

fn pairs(text: &[u8]) -> Result<Vec<Pair<'_>>, CloudError> {
    let mut pairs = Vec::new();
    for (name, value) in form_urlencoded::parse(text) {
        if pairs.len() == MOST {
            return Err((&TOO_MANY).into());
        }
        pairs.push((Cow::clone(&name), Cow::clone(&value)));
    }
    Ok(pairs)
}

fn is_form(headers: &HeaderMap) -> bool {
    headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).is_some_and(|value| {
        let kind = value.split(';').next().unwrap_or_default().trim();
        kind.eq_ignore_ascii_case("application/x-www-form-urlencoded")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::SERVICES;

    /// The parameters that an action sees of a request with parameters in its query and in its form.
    fn seen(code: &str, action: &str, generation: &str, [query, form]: [&str; 2]) -> Vec<String> {
        let service = SERVICES.iter().find(|service| service.code == code).unwrap();
        let head = hyper::Request::post(format!("/?{query}"))
            .header("authorization", generation)
            .header("content-type", "application/x-www-form-urlencoded")
            .body(())
            .unwrap()
            .into_parts()
            .0;
        let request = Request::read(&head, form.as_bytes()).unwrap();
        let action = service.action(action).unwrap();
        let region = request.region(action).unwrap().map(|region| format!("in {region}"));
        let names = request.parameters(action).unwrap().into_iter().map(|(name, _)| name);
        region.into_iter().chain(names).collect()
    }

    #[test]
    fn the_newer_generation_has_each_parameter_at_its_place_and_the_older_one_in_either() {
        let both = ["LoadBalancerId=q&Tag.1.Key=q&RegionId=cn-beijing", "DryRun=f&RegionId=cn-shanghai"];
        let stack = ["StackName=q&TemplateBody=q", "Tags.1.Key=f"];
        for (code, action, sent, newer, older) in [
            ("nlb", "DeleteLoadBalancer", both, &["in cn-shanghai", "DryRun", "RegionId"][..], None),
            (
                "nlb",
                "GetLoadBalancerAttribute",
                both,
                &["in cn-beijing", "LoadBalancerId", "RegionId", "Tag.1.Key"],
                None,
            ),
            ("ros", "CreateStack", stack, &["StackName"], Some(&["StackName", "Tags.1.Key", "TemplateBody"][..])),
            ("vpc", "DeleteVpc", ["", "VpcId=f"], &[], Some(&["VpcId"])),
            ("vpc", "DeleteVpc", ["VpcId=q", ""], &["VpcId"], Some(&["VpcId"])),
        ] {
            assert_eq!(seen(code, action, "ACS3-HMAC-SHA256 x", sent), newer, "{action}");
            if let Some(older) = older {
                assert_eq!(seen(code, action, "", sent), older, "{action}");
            }
        }
    }
}
