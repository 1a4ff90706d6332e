//! Where a request of OSS has its parameters.

/// The part of a request that holds a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// In host and path.
    Address,
    /// In a header.
    Header,
    /// In the query.
    Query,
    /// In the XML of the body.
    Xml,
}

/// The part of a request that holds the parameter with this name.
pub(super) fn place(name: &str) -> Place {
    match name {
        "bucket" | "key" | "endpoint" => Place::Address,
        "Cache-Control"
        | "Content-Disposition"
        | "Content-Encoding"
        | "Content-Language"
        | "Content-MD5"
        | "Content-Type"
        | "Expires"
        | "If-Match"
        | "If-Modified-Since"
        | "If-None-Match"
        | "If-Unmodified-Since"
        | "Range" => Place::Header,
        _ if name.starts_with("x-oss-") => Place::Header,
        _ if name.starts_with(|first: char| first.is_ascii_uppercase()) => Place::Xml,
        _ => Place::Query,
    }
}
