//! Objects of a garden, read by page and one by one, within limits of time and size.

use std::time::Duration;

use hyper::body::Bytes;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ListMeta;
use kube::Client;
use kube::api::{GetParams, ListParams};
use kube::core::Request;
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::time::sleep;

use super::kinds::Kind;
use crate::api_server::exchange::{Limits, Unanswered, exchange};
use crate::api_server::resource::Resource;
use crate::api_server::sender::Asked;

/// What one answer may take. A page that has more bytes is read in halves.
const LIMITS: Limits = Limits { time: Duration::from_secs(30), bytes: MOST_BYTES };
/// How long to wait before a request is sent again that failed.
const PAUSES: [Duration; 2] = [Duration::from_millis(500), Duration::from_secs(3)];
/// The most bytes of an answer.
const MOST_BYTES: usize = 32 << 20;
/// The most characters of a message of the API server.
const MOST_OF_MESSAGE: usize = 1_000;

/// The label by which the API server of a garden says that a Secret is a provider's (`gardener-contract 5.5`).
const SECRET_LABEL: &str = "provider.shoot.gardener.cloud/";

/// Why objects are not read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// There is no such object, or no such kind.
    #[error("the API server does not serve it")]
    NotFound,
    /// The API server refuses the request.
    #[error("the API server refuses the request ({status}): {message}")]
    Refused {
        /// Of the HTTP response.
        status: u16,
        /// The reason.
        message: String,
    },
    /// The version of the list is too old; the rest can be read as it is now.
    #[error("the list is no longer there as it was when the first page was read")]
    Expired {
        /// Leads to the rest.
        next: Option<String>,
    },
    /// One answer is too large.
    #[error("the answer is larger than {} MiB", MOST_BYTES >> 20)]
    TooLarge,
    /// The API server or the connection failed.
    #[error("the API server failed: {0}")]
    Failed(String),
}

impl ReadError {
    /// Whether the same request may have an answer later.
    fn is_passing(&self) -> bool {
        match self {
            Self::Failed(_) => true,
            Self::Refused { status, .. } => *status == 429,
            Self::NotFound | Self::Expired { .. } | Self::TooLarge => false,
        }
    }
}

/// The API server of a garden.
#[derive(Clone)]
pub struct Garden(Client);

/// Objects of one kind.
#[derive(Clone, Debug)]
pub struct List {
    /// Their kind.
    pub kind: &'static Kind,
    /// Their namespace; empty for all.
    pub namespace: String,
    /// The provider that claims them by a label; all objects are listed where there is none.
    pub provider: Option<String>,
}

/// The pages of a list, one after the other.
pub struct Pages<'g> {
    garden: &'g Garden,
    list: &'g List,
    limit: u32,
    /// Leads to the next page; empty at the beginning, and absent at the end.
    token: Option<String>,
}

impl Garden {
    /// The garden that a client calls.
    pub fn new(client: Client) -> Self {
        Self(client)
    }

    /// The text of an object; none where there is none.
    pub async fn get(&self, of: &Resource, namespace: &str, name: &str) -> Result<Option<Bytes>, ReadError> {
        let request = || Request::new(of.path(namespace)).get(name, &GetParams::default());
        match self.ask(request).await {
            Ok(text) => Ok(Some(text)),
            Err(ReadError::NotFound) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Sends a request, and again where it failed for a while only.
    async fn ask<R>(&self, request: R) -> Result<Bytes, ReadError>
    where
        R: Fn() -> Asked,
    {
        let mut pauses = PAUSES.into_iter();
        loop {
            let sent = request().map_err(|error| ReadError::Failed(error.to_string()))?;
            let answer = exchange(&self.0, sent, LIMITS).await.map_err(ReadError::from);
            match (answer, pauses.next()) {
                (Err(error), Some(pause)) if error.is_passing() => sleep(pause).await,
                (answer, _) => return answer,
            }
        }
    }
}

impl From<Unanswered> for ReadError {
    fn from(unanswered: Unanswered) -> Self {
        match unanswered {
            Unanswered::Status(status, reported) => {
                let message = shortened(&reported.message);
                match status.as_u16() {
                    404 => Self::NotFound,
                    410 => Self::Expired { next: reported.metadata.and_then(|list| list.continue_) },
                    500.. => Self::Failed(format!("{} {message}", status.as_u16()).trim_end().to_owned()),
                    status => Self::Refused { status, message },
                }
            }
            Unanswered::TooLarge(_) => Self::TooLarge,
            Unanswered::Late(limit) => {
                Self::Failed(format!("it did not answer within {} seconds", limit.as_secs()))
            }
            Unanswered::Broken(why) => Self::Failed(shortened(&why)),
        }
    }
}

fn shortened(message: &str) -> String {
    message.chars().take(MOST_OF_MESSAGE).collect()
}

impl<'g> Pages<'g> {
    /// The pages of a list, each of so many objects at most.
    pub fn of(garden: &'g Garden, list: &'g List, limit: u32) -> Self {
        Self { garden, list, limit, token: Some(String::new()) }
    }

    /// The objects of the next page; none at the end. After an error there is no further page.
    pub async fn next(&mut self) -> Option<Result<Vec<Box<RawValue>>, ReadError>> {
        #[derive(Deserialize)]
        struct Page {
            #[serde(default)]
            metadata: ListMeta,
            items: Option<Vec<Box<RawValue>>>,
        }
        let mut token = self.token.take()?;
        let answer = loop {
            match self.read(&token).await {
                // A page of one object is as small as a page gets.
                Err(ReadError::TooLarge) if self.limit > 1 => self.limit /= 2,
                // An object that was created meanwhile may be missing; a reader that goes on sees each one that
                // was there before.
                Err(ReadError::Expired { next: Some(next) }) if !next.is_empty() && next != token => token = next,
                answer => break answer,
            }
        };
        let page = answer.and_then(|text| {
            // The error may quote the answer, which may be a Secret.
            let unreadable = |_| ReadError::Failed("its answer is no list".to_owned());
            serde_json::from_slice::<Page>(&text).map_err(unreadable)
        });
        Some(page.and_then(|Page { metadata, items }| {
            self.token = metadata.continue_.filter(|next| !next.is_empty());
            if self.token.as_ref() == Some(&token) {
                self.token = None;
                return Err(ReadError::Failed("a page of the list leads to itself".to_owned()));
            }
            Ok(items.unwrap_or_default())
        }))
    }

    async fn read(&self, token: &str) -> Result<Bytes, ReadError> {
        let List { kind, namespace, provider } = self.list;
        let mut parameters = ListParams::default().limit(self.limit);
        if let Some(provider) = provider {
            parameters = parameters.labels(&format!("{SECRET_LABEL}{provider}=true"));
        }
        if !token.is_empty() {
            parameters = parameters.continue_token(token);
        }
        self.garden.ask(|| Request::new(kind.resource.path(namespace)).list(&parameters)).await
    }
}
