//! Who may ask about the simulated cloud: the page of this server alone.

use axum::extract::Request;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

/// Refuses what the page of this server did not send, and keeps every answer out of caches.
pub(super) async fn guarded(request: Request, next: Next) -> Response {
    let mut response = match refused(request.method(), request.headers()) {
        Some(refusal) => refusal,
        None => next.run(request).await,
    };
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// The refusal of a request of another page. Browsers name the origin of a page that posts, and the relation of a
/// page that reads.
fn refused(method: &Method, headers: &HeaderMap) -> Option<Response> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let own = format!("http://{}", text(HOST.as_str()));
    let posts = method == Method::POST;
    let is_own_origin = if posts || headers.contains_key(ORIGIN) { text(ORIGIN.as_str()) == own } else { true };
    let is_own_site = matches!(text("sec-fetch-site"), "" | "same-origin" | "none");
    if !is_own_origin || !is_own_site {
        return Some((StatusCode::FORBIDDEN, "Only the page of this server may ask for that.\n").into_response());
    }
    let media_type = text(CONTENT_TYPE.as_str()).split(';').next().unwrap_or_default().trim();
    if posts && !media_type.eq_ignore_ascii_case("application/json") {
        return Some((StatusCode::UNSUPPORTED_MEDIA_TYPE, "Send `application/json`.\n").into_response());
    }
    None
}
