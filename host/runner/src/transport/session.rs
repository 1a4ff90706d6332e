//! The calls of one run.

mod turn;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hyper::Request;
use hyper::body::Bytes;
use hyper::header::{HeaderValue, USER_AGENT};
use serde_json::Value;
use tokio::time::timeout_at;

use super::allowed_calls::AllowedCalls;
use super::answer::Answer;
use super::clock;
use super::endpoint::Endpoint;
use super::family::{Family, Refused, Way};
use super::http::{Http, TlsError};
use super::identity::Owner;
use super::pages::Pages;
use super::wire::{Realm, Wire};
use crate::call::ResolvedCall;
use crate::call::cloud::Cloud;
use crate::call::failure::{CallFailure, NO_CREDENTIALS, OTHER_ACCOUNT, TIMEOUT};
use crate::call::tally::Tally;
use crate::credentials::{Accounts, Credential};
use crate::document::Paging;
use crate::limits::permit::Terms;

/// The name of the client, as the cloud sees it.
const AGENT: &str = concat!("trellis/", env!("CARGO_PKG_VERSION"));

/// The longest time until a call has left this machine, once it may be sent: that of connecting, and a second.
const SENDING: Duration = Duration::from_secs(6);

/// Sends the calls of one run to one cloud.
#[derive(Debug)]
pub struct Session {
    family: Arc<dyn Family>,
    endpoint: Endpoint,
    region: String,
    accounts: Accounts,
    allowed_calls: AllowedCalls,
    http: Arc<Http>,
    realm: Arc<Realm>,
    /// Requests that left.
    sent: AtomicU64,
    /// Requests that were answered, and waits.
    tally: Mutex<Tally>,
    /// The account of the run, once somebody asked for it.
    owner: Mutex<Option<Owner>>,
}

impl Session {
    /// A session with a cloud over the wire of this process. Calls that name no region go to the given one.
    pub fn new(
        family: Arc<dyn Family>,
        wire: &Wire,
        endpoint: Endpoint,
        region: &str,
        accounts: Accounts,
        allowed_calls: AllowedCalls,
    ) -> Result<Self, TlsError> {
        let (http, realm) = (wire.client(&endpoint)?, wire.realm(&endpoint));
        let (sent, tally, owner) = (AtomicU64::new(0), Mutex::default(), Mutex::new(None));
        Ok(Self {
            family,
            endpoint,
            region: region.to_owned(),
            accounts,
            allowed_calls,
            http,
            realm,
            sent,
            tally,
            owner,
        })
    }

    /// Makes a call once. Where the cloud refuses the time of the call, makes it once more with the time that the
    /// cloud says.
    async fn once(&self, call: &ResolvedCall, effect: Effect, terms: Terms<'_>) -> Result<Value, CallFailure> {
        let credential = self.entitled(call, terms).await?;
        self.signed(call, &*credential, (effect, Counted::Yes), terms).await
    }

    /// The credential of a call that may be made.
    async fn entitled(&self, call: &ResolvedCall, terms: Terms<'_>) -> Result<Arc<dyn Credential>, CallFailure> {
        self.allowed_calls.check_call(role(call.account.as_deref()), &call.service, &call.action)?;
        let credential = self.credential(call.account.as_deref())?;
        if role(call.account.as_deref()) == SHOOT {
            self.vouch(&*credential, terms).await?;
        }
        Ok(credential)
    }

    /// Makes sure that credentials that changed during a run belong to the account of the run.
    async fn vouch(&self, credential: &dyn Credential, terms: Terms<'_>) -> Result<(), CallFailure> {
        let Some(owner) = self.owner() else { return Ok(()) };
        if owner.keys.iter().any(|key| key == credential.id()) {
            return Ok(());
        }
        let ResolvedCall { service, action, .. } = &owner.call;
        let answer = self.identify(&owner.call, credential, terms).await;
        let answer = answer.map_err(|failure| named(failure, service, action))?;
        let account = answer.pointer(&owner.at);
        if account != owner.account.as_ref() {
            let reported =
                |account: Option<&Value>| account.and_then(Value::as_str).unwrap_or("unknown").to_owned();
            let (given, known) = (reported(account), reported(owner.account.as_ref()));
            return Err(CallFailure::own(
                OTHER_ACCOUNT,
                format!(
                    "the credentials have changed, and belong to account {given}; the run is for account {known}"
                ),
            ));
        }
        if let Some(owner) = self.owner.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            owner.keys.push(credential.id().to_owned());
        }
        Ok(())
    }

    fn owner(&self) -> Option<Owner> {
        self.owner.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The answer to a call that depends on nothing but the credentials. Makes the call where the answer is not
    /// known.
    async fn identify(
        &self,
        call: &ResolvedCall,
        credential: &dyn Credential,
        terms: Terms<'_>,
    ) -> Result<Value, CallFailure> {
        if let Some(known) = self.realm.identities.get(credential.id(), call) {
            return Ok(known);
        }
        let answer = self.signed(call, credential, (Effect::None, Counted::No), terms).await?;
        self.realm.identities.learn(credential.id(), call, &answer);
        Ok(answer)
    }

    /// Makes a call with these credentials, once.
    async fn signed(
        &self,
        call: &ResolvedCall,
        credential: &dyn Credential,
        (effect, counted): (Effect, Counted),
        terms: Terms<'_>,
    ) -> Result<Value, CallFailure> {
        let place = self.family.place(call, &self.region, &self.endpoint)?;
        self.allowed_calls.check_region(&place.region, &self.region, place.host.host())?;
        let who = Who { credential, service: &call.service, action: &call.action };
        let patience = self.family.patience(call);
        let mut corrected = false;
        loop {
            self.turn(call, who, terms).await?;
            let now = self.realm.clock.now();
            let way = Way { credential, region: &self.region, now, http: &self.http, terms };
            let request = self.family.request(call, &place, &way).await?;
            // Last, because a family may wait for a token.
            may_send(effect, terms).await?;
            if counted == Counted::Yes {
                self.sent.fetch_add(1, Ordering::Relaxed);
            }
            let answer = self.heard(who, self.send(request, patience, terms).await);
            let answer =
                answer.map(|answer| (self.heard(who, self.family.response(call, &answer)), answer.date()));
            let (response, date) = answer.unwrap_or_else(|failure| (Err(failure), None));
            if counted == Counted::Yes {
                self.count(who, &response);
            }
            let Err(failure) = response else { return response };
            match (self.family.refused(&failure), date) {
                (Some(Refused::Time), Some(date)) if !corrected => self.realm.clock.set(date),
                (Some(Refused::Time | Refused::OwnTime), date) => return Err(clock::explained(failure, date)),
                (Some(Refused::Token), _) if !corrected => {}
                (Some(Refused::Token) | None, _) => return Err(failure),
            }
            corrected = true;
        }
    }

    fn credential(&self, role: Option<&str>) -> Result<Arc<dyn Credential>, CallFailure> {
        self.accounts.of(role).map_err(|error| CallFailure::own(NO_CREDENTIALS, error.to_string()))
    }

    fn count<T>(&self, who: Who<'_>, answer: &Result<T, CallFailure>) {
        let code = answer.as_ref().err().map(|failure| failure.code.as_str());
        self.tally().request(who.service, who.action, code.unwrap_or_default());
    }

    fn tally(&self) -> MutexGuard<'_, Tally> {
        self.tally.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn send(
        &self,
        mut request: Request<Bytes>,
        patience: Duration,
        terms: Terms<'_>,
    ) -> Result<Answer, CallFailure> {
        request.headers_mut().insert(USER_AGENT, HeaderValue::from_static(AGENT));
        terms.permit.while_held(self.http.send(request, patience, terms.deadline)).await?
    }

    /// Slows down where the cloud asks for it, and removes secrets from the message.
    fn heard<T>(&self, who: Who<'_>, answer: Result<T, CallFailure>) -> Result<T, CallFailure> {
        answer.map_err(|mut failure| {
            if let Some(time) = failure.retry_after {
                self.realm.pace.rest(self.lane(who), time);
            }
            failure.message = who.credential.redact(failure.message);
            failure
        })
    }
}

impl Cloud for Session {
    async fn change(&self, call: &ResolvedCall, terms: Terms<'_>) -> Result<Value, CallFailure> {
        let answer = self.once(call, Effect::Change, terms).await;
        answer.map_err(|failure| named(failure, &call.service, &call.action))
    }

    async fn query(&self, call: &ResolvedCall, paging: &Paging, terms: Terms<'_>) -> Result<Value, CallFailure> {
        let mut pages = Pages::new(paging);
        let mut next = Some(call.clone());
        while let Some(call) = next {
            let page = self.once(&call, Effect::None, terms).await;
            let taken = page.and_then(|page| pages.take(&call, page));
            next = taken.map_err(|failure| named(failure, &call.service, &call.action))?;
        }
        Ok(pages.whole())
    }

    async fn identity(&self, call: &ResolvedCall, at: &str, terms: Terms<'_>) -> Result<Value, CallFailure> {
        let asked = async {
            self.allowed_calls.check_call(role(call.account.as_deref()), &call.service, &call.action)?;
            let credential = self.credential(call.account.as_deref())?;
            let answer = self.identify(call, &*credential, terms).await?;
            self.realm.identities.name(call, at);
            if role(call.account.as_deref()) != SHOOT {
                return Ok(answer);
            }
            self.owner.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(|| Owner {
                keys: vec![credential.id().to_owned()],
                call: call.clone(),
                at: at.to_owned(),
                account: answer.pointer(at).cloned(),
            });
            Ok(answer)
        };
        asked.await.map_err(|failure| named(failure, &call.service, &call.action))
    }

    fn patience(&self, call: &ResolvedCall) -> Duration {
        self.family.patience(call)
    }

    fn sent(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }

    fn tally(&self) -> Tally {
        Self::tally(self).clone()
    }
}

/// What a call may do.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    /// It may change something.
    Change,
    /// It changes nothing.
    None,
}

/// Whether a request counts for the run. The question for the account does not: the process asks it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Counted {
    Yes,
    No,
}

/// Who makes which call.
#[derive(Clone, Copy)]
struct Who<'a> {
    credential: &'a dyn Credential,
    service: &'a str,
    action: &'a str,
}

/// Waits for the permit to send a call.
async fn may_send(effect: Effect, terms: Terms<'_>) -> Result<(), CallFailure> {
    match effect {
        Effect::Change => {
            let permit = timeout_at(terms.deadline, terms.permit.to_change(SENDING)).await;
            permit.map_err(|_| {
                let words = "the call was not sent: its time was over before the lease was renewed";
                CallFailure::own(TIMEOUT, words)
            })??;
        }
        Effect::None => terms.permit.to_read()?,
    }
    Ok(())
}

/// A failure that names its call.
fn named(failure: CallFailure, service: &str, action: &str) -> CallFailure {
    if failure.service.is_empty() {
        CallFailure { service: service.to_owned(), action: action.to_owned(), ..failure }
    } else {
        failure
    }
}

/// The role of the account of a call that names none.
const SHOOT: &str = "shoot";

fn role(account: Option<&str>) -> &str {
    account.unwrap_or(SHOOT)
}
