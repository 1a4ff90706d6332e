//! The answer to a request: a file of the page or an error, always with the headers that keep a page safe.

use axum::Router;
use axum::extract::Request;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, IF_RANGE, RANGE, REFERRER_POLICY, VARY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use tower_http::services::ServeDir;

use super::address::names_this_machine;
use super::files::Page;
use super::folder::Folder;

/// What the page may do: scripts, styles, workers and requests of its own origin alone. Its policies are
/// WebAssembly, and its editor and its components write style elements.
const POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; \
    worker-src 'self'; connect-src 'self'; img-src 'self' data:; font-src 'self'; object-src 'none'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Headers of every answer.
const HEADERS: [(HeaderName, &str); 7] = [
    (CONTENT_SECURITY_POLICY, POLICY),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (VARY, "accept-encoding"),
    // By this the page knows that the program serves it, and can be asked.
    (HeaderName::from_static("server-timing"), "trellis"),
];

/// Files in here have a digest of their content in their name.
const HASHED: &str = "/assets/";

/// Answers requests with the files of a page, and by further routes.
pub(super) fn router(page: &Page, routes: Router) -> Router {
    let files = ServeDir::with_backend(page.folder(), Folder::new(page.folder()))
        .precompressed_br()
        .precompressed_gzip()
        // There is one page; and a redirect made of a path can be made to lead elsewhere.
        .redirect_to_trailing_slash(false)
        .ignore_multi_range_requests(true);
    routes.fallback_service(files).layer(middleware::from_fn(guarded))
}

/// Answers a request that names this machine as its host, with the [headers](HEADERS).
async fn guarded(mut request: Request, next: Next) -> Response {
    let may_be_kept = request.uri().path().starts_with(HASHED);
    // A range is for GET; and whether it is of the file that the browser has part of is not compared below.
    if request.method() != Method::GET || request.headers().contains_key(IF_RANGE) {
        request.headers_mut().remove(RANGE);
    }
    let mut response = match refused(&request) {
        Some(refusal) => refusal,
        None => next.run(request).await,
    };
    // An answer that says how it is kept is that of a route, which has words of its own.
    let is_of_route = response.headers().contains_key(CACHE_CONTROL);
    if response.status() == StatusCode::NOT_FOUND && !is_of_route {
        response = (StatusCode::NOT_FOUND, "There is no such file in the page.\n").into_response();
    }
    let is_file = response.status().is_success() || response.status() == StatusCode::NOT_MODIFIED;
    let headers = response.headers_mut();
    let kept = if is_file && may_be_kept { "public, max-age=31536000, immutable" } else { "no-cache" };
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static(kept));
    if let Some(known) = headers.get(CONTENT_TYPE).and_then(content_type) {
        headers.insert(CONTENT_TYPE, known);
    }
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// The refusal of a request for another host, by its target or its `Host`. Both are read, because a proxy may have
/// rewritten one of them.
fn refused(request: &Request) -> Option<Response> {
    let mut hosts = request.headers().get_all(HOST).iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else {
        return Some((StatusCode::BAD_REQUEST, "A request has one `Host` header.\n").into_response());
    };
    let is_here = host.to_str().is_ok_and(names_this_machine)
        && request.uri().authority().is_none_or(|authority| names_this_machine(authority.as_str()));
    let words = "This server answers to `localhost` and to loopback addresses only, not to other names of them.\n";
    (!is_here).then(|| (StatusCode::MISDIRECTED_REQUEST, words).into_response())
}

/// The media type of a file whose extension alone gives a wrong one: the page's texts are UTF-8, and YAML is RFC
/// 9512's.
fn content_type(guessed: &HeaderValue) -> Option<HeaderValue> {
    match guessed.to_str().ok()? {
        "text/x-yaml" => Some(HeaderValue::from_static("application/yaml")),
        text if text.starts_with("text/") && !text.contains(';') => {
            HeaderValue::from_str(&format!("{text}; charset=utf-8")).ok()
        }
        _ => None,
    }
}
