//! A second family: a cloud that is addressed by method and path, wants a token that runs out, hands out lists by
//! link, and works on what it is asked for after it has answered. The transport needs no line for it.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::future::{BoxFuture, FutureExt as _};
use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::AUTHORIZATION;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tempfile::NamedTempFile;
use tokio::net::TcpListener;
use trellis_runner::call::cloud::{Cloud as _, PATIENCE};
use trellis_runner::call::rest::{self, RestRequest};
use trellis_runner::call::{CallFailure, Parameter, ResolvedCall};
use trellis_runner::credentials::{
    Accounts, Credential, CredentialError, CredentialSource, ReadsCredentials, SecretData,
};
use trellis_runner::document::{Classification, NextPage, Outcome, Paging, Plan, State};
use trellis_runner::limits::permit::{Permit, Terms};
use trellis_runner::limits::stop::{Stop, Stopper, stop};
use trellis_runner::plan::ledger::{StateStore, StoreError};
use trellis_runner::plan::options::Options as RunnerOptions;
use trellis_runner::plan::runner::Runner;
use trellis_runner::plan::token::Tokens;
use trellis_runner::transport::answer::Answer;
use trellis_runner::transport::family::{Family, Place, Refused, Way};
use trellis_runner::transport::{AllowedCalls, Endpoint, Options, Session, Wire, family_of};

use zeroize::Zeroizing;

use super::support::terms;

/// A network of a cloud that exists in this test alone.
#[derive(Debug, Default)]
struct Meadow {
    token: Mutex<Option<String>>,
    /// Stops the run while a token is fetched.
    stops: Option<Stopper>,
}

/// What opens this cloud: the login of a tenant.
struct Login {
    tenant: String,
    user: String,
    password: Zeroizing<String>,
}

impl Credential for Login {
    fn id(&self) -> &str {
        &self.user
    }

    fn secrets(&self) -> Vec<&str> {
        vec![&self.password]
    }
}

impl ReadsCredentials for Meadow {
    fn of_secret(&self, secret: &SecretData<'_>) -> Result<Arc<dyn Credential>, CredentialError> {
        let [tenant, user] = ["tenant", "user"].map(|key| secret.required(key).map(|text| (*text).clone()));
        Ok(Arc::new(Login { tenant: tenant?, user: user?, password: secret.required("password")? }))
    }
}

fn failure(code: &str, answer: &Answer) -> CallFailure {
    CallFailure {
        code: code.to_owned(),
        message: answer.shown(),
        http_status: answer.status,
        retry_after: answer.retry_after(),
        ..CallFailure::default()
    }
}

impl Meadow {
    /// The token that is known, or another one.
    async fn token(&self, place: &Place, way: &Way<'_>) -> Result<String, CallFailure> {
        if let Some(known) = self.token.lock().unwrap().clone() {
            return Ok(known);
        }
        let login: &Login = way.credential.own().unwrap();
        let Login { tenant, user, password } = login;
        let body = json!({ "tenant": tenant, "user": user, "password": **password }).to_string();
        let uri = format!("{}://{}/token", place.scheme, place.host);
        let request = Request::builder().method(Method::POST).uri(uri).body(Bytes::from(body)).unwrap();
        let answer = way.fetch(request, PATIENCE).await?;
        let response = self.response(&ResolvedCall::default(), &answer)?;
        let token = response["token"].as_str().unwrap_or_default().to_owned();
        if let Some(stopper) = &self.stops {
            stopper.stop(Stop::Gracefully);
        }
        *self.token.lock().unwrap() = Some(token.clone());
        Ok(token)
    }
}

impl Family for Meadow {
    fn place(&self, _: &ResolvedCall, region: &str, endpoint: &Endpoint) -> Result<Place, CallFailure> {
        let Endpoint::Url(url) = endpoint else { panic!("this cloud has one address") };
        Ok(Place { scheme: url.scheme().clone(), host: url.authority().clone(), region: region.to_owned() })
    }

    fn request<'f>(
        &'f self,
        call: &'f ResolvedCall,
        place: &'f Place,
        way: &'f Way<'f>,
    ) -> BoxFuture<'f, Result<Request<Bytes>, CallFailure>> {
        async move {
            let token = self.token(place, way).await?;
            let RestRequest { method, target, body } = rest::request(call)?;
            let uri = format!("{}://{}{target}", place.scheme, place.host);
            let request =
                Request::builder().method(method).uri(uri).header(AUTHORIZATION, format!("Bearer {token}"));
            let body = body.map(|body| Bytes::from(body.to_string())).unwrap_or_default();
            Ok(request.body(body).unwrap())
        }
        .boxed()
    }

    fn response(&self, _: &ResolvedCall, answer: &Answer) -> Result<Value, CallFailure> {
        match serde_json::from_slice(&answer.body) {
            Ok(response) if answer.is_success() => Ok(response),
            _ if answer.status == 401 => Err(failure("TokenExpired", answer)),
            // A server that broke may have done what it was asked for.
            _ => Err(CallFailure { ambiguous: answer.status >= 500, ..failure("Failed", answer) }),
        }
    }

    fn refused(&self, failure: &CallFailure) -> Option<Refused> {
        (failure.code == "TokenExpired").then(|| {
            *self.token.lock().unwrap() = None;
            Refused::Token
        })
    }

    fn patience(&self, _: &ResolvedCall) -> Duration {
        PATIENCE
    }
}

/// What was asked of the cloud: method, path and token of each request.
type Asked = Arc<Mutex<Vec<String>>>;

/// Serves the cloud. A token is good for three requests.
async fn serve() -> (SocketAddr, Asked) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (address, asked) = (listener.local_addr().unwrap(), Asked::default());
    let (kept, tokens) = (Arc::clone(&asked), Arc::new(AtomicU64::new(0)));
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let (kept, tokens) = (Arc::clone(&kept), Arc::clone(&tokens));
            let service = service_fn(move |request: Request<Incoming>| {
                let (kept, tokens) = (Arc::clone(&kept), Arc::clone(&tokens));
                async move { Ok::<_, Infallible>(answer(request, &kept, &tokens).await) }
            });
            tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
        }
    });
    (address, asked)
}

async fn answer(request: Request<Incoming>, asked: &Asked, tokens: &AtomicU64) -> Response<Full<Bytes>> {
    let target = request.uri().path_and_query().unwrap().to_string();
    let bearer = request.headers().get(AUTHORIZATION).map(|value| value.to_str().unwrap().to_owned());
    let method = request.method().clone();
    let body = request.into_body().collect().await.unwrap().to_bytes();
    let (status, content) = {
        let mut asked = asked.lock().unwrap();
        let of = |token: &str, asked: &[String]| asked.iter().filter(|line| line.ends_with(token)).count();
        let current = format!("Bearer t{}", tokens.load(Ordering::SeqCst));
        let polled = asked.iter().filter(|line| line.contains("/operations/")).count();
        let answer = match (method.as_str(), target.as_str(), bearer.as_deref()) {
            ("POST", "/token", _) => {
                let given: Value = serde_json::from_slice(&body).unwrap();
                assert_eq!(given, json!({ "tenant": "t", "user": "app", "password": "hidden" }));
                (200, json!({ "token": format!("t{}", tokens.fetch_add(1, Ordering::SeqCst) + 1) }))
            }
            (_, _, Some(token)) if token != current || of(token, &asked) >= 3 => {
                (401, json!({ "error": "expired" }))
            }
            ("GET", "/networks?limit=1", _) => {
                (200, json!({ "items": ["a"], "next": "https://elsewhere.example/networks?limit=1&marker=a" }))
            }
            ("GET", "/networks?limit=1&marker=a", _) => (200, json!({ "items": ["b"] })),
            ("POST", "/networks", _) if body == r#"{"name":"lost"}"# => (503, json!({ "error": "busy" })),
            ("GET", "/networks?name=lost", _) => (200, json!({ "items": [{ "id": "net-9", "name": "lost" }] })),
            ("POST", "/networks", _) => (202, json!({ "operation": "op-1" })),
            ("GET", "/operations/op-1", _) if polled < 2 => (200, json!({ "status": "RUNNING" })),
            ("GET", "/operations/op-1", _) => (200, json!({ "status": "DONE", "target": "net-1" })),
            other => panic!("{other:?}"),
        };
        asked.push(format!("{method} {target} {}", bearer.unwrap_or_default()));
        answer
    };
    Response::builder().status(status).body(Full::from(content.to_string())).unwrap()
}

/// A state that nobody keeps.
struct Nowhere;

impl StateStore for Nowhere {
    async fn load(&self) -> Result<Option<State>, StoreError> {
        Ok(None)
    }

    async fn save(&self, _: &State) -> Result<(), StoreError> {
        Ok(())
    }
}

/// A file with a Secret.
fn secret(data: &str) -> NamedTempFile {
    let file = NamedTempFile::new().unwrap();
    std::fs::write(file.path(), format!("kind: Secret\n{data}\n")).unwrap();
    file
}

fn session(address: SocketAddr, family: Meadow) -> Session {
    let endpoint = Endpoint::Url(format!("http://{address}").parse().unwrap());
    let family = Arc::new(family);
    let file = secret("stringData: {tenant: t, user: app, password: hidden}");
    let accounts = Accounts::new(CredentialSource::file(file.path(), family.clone()).unwrap());
    let wire = Wire::new(Options::default());
    Session::new(family, &wire, endpoint, "here", accounts, AllowedCalls::all()).unwrap()
}

#[tokio::test]
async fn a_list_is_read_by_its_links_and_a_token_is_fetched_once() {
    let (address, asked) = serve().await;
    let session = session(address, Meadow::default());
    let call = ResolvedCall {
        service: "network".to_owned(),
        action: "GET /networks".to_owned(),
        parameters: vec![(
            "query".to_owned(),
            Parameter::Object(vec![("limit".to_owned(), Parameter::from("1"))]),
        )],
        ..ResolvedCall::default()
    };
    let paging = Paging::Link(NextPage { at: "/next".to_owned(), parameter: "/query".to_owned() });
    let networks = session.query(&call, &paging, terms()).await.unwrap();
    assert_eq!(networks["items"], json!(["a", "b"]));
    let expected = ["POST /token ", "GET /networks?limit=1 Bearer t1", "GET /networks?limit=1&marker=a Bearer t1"];
    assert_eq!(*asked.lock().unwrap(), expected);
}

#[tokio::test]
async fn an_operation_that_runs_long_is_polled_and_a_token_that_has_run_out_is_fetched_again() {
    let (address, asked) = serve().await;
    let session = session(address, Meadow::default());
    let operation = json!({ "ref": "Operation" });
    let plan: Plan = serde_json::from_value(json!({ "steps": [{
        "id": "network/create",
        "call": { "service": "network", "action": "POST /networks", "parameters": { "body": { "name": "n" } } },
        "record": { "Operation": "/operation" },
        "until": {
            "call": { "service": "network", "action": "GET /operations/{id}", "parameters": { "id": operation } },
            "success": [{ "at": "/status", "among": ["DONE"] }],
            "record": { "Network": "/target" }, "interval": 1, "limit": 60,
        },
    }] }))
    .unwrap();
    let classify = |failure: &CallFailure| Classification {
        outcome: Outcome::Fail,
        codes: Vec::new(),
        message: failure.message.clone(),
    };
    let runner = Runner {
        cloud: &session,
        classify: &classify,
        listener: &|_| {},
        permit: Permit::unlimited(),
        options: RunnerOptions::default(),
        tokens: Tokens::default(),
    };
    let applied = runner.apply(&plan, State::new(), &Nowhere).await.unwrap();
    assert!(applied.is_complete(), "{applied:?}");
    assert_eq!(applied.state["Network"], "net-1");
    let asked = asked.lock().unwrap().clone();
    let expected = [
        "POST /token ",
        "POST /networks Bearer t1",
        "GET /operations/op-1 Bearer t1",
        "GET /operations/op-1 Bearer t1",
        "GET /operations/op-1 Bearer t1",
        "POST /token ",
        "GET /operations/op-1 Bearer t2",
    ];
    assert_eq!(asked, expected);
}

#[tokio::test]
async fn what_a_broken_answer_left_behind_is_found_by_its_name_and_not_created_again() {
    let (address, asked) = serve().await;
    let session = session(address, Meadow::default());
    let plan: Plan = serde_json::from_value(json!({ "steps": [{
        "id": "network/create",
        "call": { "service": "network", "action": "POST /networks", "parameters": { "body": { "name": "lost" } } },
        "remember": { "Pending/network": "none" }, "record": { "Network": "/id" },
        "lookAgain": {
            "call": { "service": "network", "action": "GET /networks", "parameters": { "query": { "name": "lost" } } },
            "item": { "list": "/items", "key": "name", "value": "lost" },
            "success": [{ "present": "/id" }], "record": { "Network": "/id" }, "interval": 1, "limit": 60,
        },
    }] }))
    .unwrap();
    let classify = |failure: &CallFailure| Classification {
        outcome: Outcome::Retry,
        codes: Vec::new(),
        message: failure.message.clone(),
    };
    let runner = Runner {
        cloud: &session,
        classify: &classify,
        listener: &|_| {},
        permit: Permit::unlimited(),
        options: RunnerOptions::default(),
        tokens: Tokens::default(),
    };
    let applied = runner.apply(&plan, State::new(), &Nowhere).await.unwrap();
    assert!(applied.is_complete(), "{applied:?}");
    assert_eq!(applied.state["Network"], "net-9");
    let expected = ["POST /token ", "POST /networks Bearer t1", "GET /networks?name=lost Bearer t1"];
    assert_eq!(*asked.lock().unwrap(), expected);
}

#[tokio::test]
async fn a_change_is_not_sent_where_the_run_was_stopped_while_its_token_was_fetched() {
    let (address, asked) = serve().await;
    let (stopper, stop) = stop();
    let session = session(address, Meadow { stops: Some(stopper), ..Meadow::default() });
    let permit = Permit { stop, ..Permit::unlimited() };
    let call = ResolvedCall {
        service: "network".to_owned(),
        action: "POST /networks".to_owned(),
        parameters: vec![("body".to_owned(), Parameter::Object(Vec::new()))],
        ..ResolvedCall::default()
    };
    let failure = session.change(&call, Terms { permit: &permit, ..terms() }).await.unwrap_err();
    assert!(failure.is_permit_ended(), "{failure:?}");
    assert_eq!(*asked.lock().unwrap(), ["POST /token "]);
}

#[test]
fn a_family_reads_its_own_credentials_and_nobody_shows_them() {
    let read = |data: &str| CredentialSource::file(secret(data).path(), Arc::new(Meadow::default()));
    let source = read("stringData: {tenant: t, user: app, password: hidden}").unwrap();
    let credential = Accounts::new(source).of(None).unwrap();
    let shown = format!("{credential:?} {}", credential.redact("app, hidden".to_owned()));
    assert_eq!((credential.id(), shown.as_str()), ("app", "Credential app, (redacted)"));
    let reported = read("stringData: {tenant: t, password: hidden}").unwrap_err();
    assert!(reported.to_string().contains("has no `user`"), "{reported}");
    assert!(!format!("{reported} {reported:?}").contains("hidden"));
}

#[test]
fn the_type_of_a_provider_chooses_its_family() {
    assert!(family_of("alicloud").is_ok());
    assert_eq!(
        family_of("meadow").unwrap_err().to_string(),
        "this release sends no calls for the provider `meadow`"
    );
}
