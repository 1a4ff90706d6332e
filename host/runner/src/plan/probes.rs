//! Waits for the effects of calls. The prober makes one call for equal probes of several steps.
//!
//! A step gets the answer of the first call that the prober sends after the step began to wait, whichever step the
//! call is for. The prober holds a call back for a moment while another step is about to wait with an equal call,
//! so that one answer serves as many steps as possible.

use std::convert::Infallible;
use std::time::Duration;

use futures_util::stream::{FuturesUnordered, StreamExt};
use serde_json::Value;
use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio::time::{Instant, sleep_until};

use super::condition::{ABSENT, Sighting, Target};
use super::event::{Event, Listener};
use super::options::Classify;
use super::phase::Phases;
use crate::call::cloud::Cloud;
use crate::call::{CallFailure, ResolvedCall};
use crate::document::{Call, Classification, Outcome, Paging};
use crate::limits::permit::{Permit, Terms};

/// The time between the first calls. The time doubles from failure to failure.
const FIRST_DELAY: Duration = Duration::from_millis(250);
/// The prober notices an effect late, by at most this part of the time that the effect took.
const LATENESS: u32 = 10;
/// The longest time for which the prober holds a call back for steps that are about to wait with an equal call.
const HOLD: Duration = Duration::from_secs(2);

/// How long an item that the cloud has shown must be absent until the prober takes it for gone: the cloud may
/// answer for a while as things were before.
const GONE: Duration = Duration::from_secs(6);

/// A step that waits.
pub(super) struct Wait<'r> {
    /// Id of the step.
    pub step: &'r str,
    /// The call, and the call as the plan has it.
    pub call: ResolvedCall,
    pub document: &'r Call,
    pub target: Target<'r>,
    /// The longest time between two calls.
    pub interval: Duration,
    /// When the step stops waiting.
    pub until: Instant,
    /// Whether the step wants one answer only, whatever the answer says.
    pub once: bool,
    pub reply: oneshot::Sender<Ended>,
}

/// How a step stopped waiting.
#[derive(Debug)]
pub(super) enum Ended {
    /// The effect has come. The item, where the probe names one.
    Success(Option<Value>),
    /// The effect will not come: what is so instead.
    Failure(String),
    /// The cloud has shown the item, which is gone since.
    Gone,
    /// The call will not succeed: why.
    Refused(Classification, Box<CallFailure>),
    /// The effect has not come: how things were at last.
    NotYet(String),
}

/// Makes the calls of the probes.
pub(super) struct Prober<'r, C> {
    pub cloud: &'r C,
    pub classify: &'r dyn Classify,
    pub listener: &'r Listener<'r>,
    pub permit: &'r Permit,
    pub permits: &'r Semaphore,
    pub phases: &'r Phases<'r>,
}

/// Steps that wait with equal calls.
struct Group<'r> {
    call: ResolvedCall,
    members: Vec<Member<'r>>,
    in_flight: bool,
}

struct Member<'r> {
    wait: Wait<'r>,
    /// Counts the waits.
    number: u64,
    began: Instant,
    due: Instant,
    /// Time from a failure to the next call.
    delay: Duration,
    last: String,
    presence: Presence,
}

/// Whether the cloud shows the item that a step waits for.
#[derive(Clone, Copy)]
enum Presence {
    /// It has not shown the item yet.
    Unseen,
    /// It showed the item the last time.
    Seen,
    /// It showed the item before, and does not since that time.
    Missing(Instant),
}

impl Presence {
    /// After another answer of the cloud.
    fn after(self, is_there: bool) -> Self {
        match self {
            _ if is_there => Self::Seen,
            Self::Seen => Self::Missing(Instant::now()),
            other => other,
        }
    }

    fn is_gone(self) -> bool {
        matches!(self, Self::Missing(since) if since.elapsed() >= GONE)
    }
}

/// A call that is answered.
struct Answered {
    call: ResolvedCall,
    /// The number of waits when the prober sent the call: the answer is for those waits.
    waits: u64,
    result: Result<Value, (CallFailure, Classification)>,
}

impl<'r, C: Cloud> Prober<'r, C> {
    /// Answers the waits of steps, for as long as the caller polls this future.
    pub(super) async fn run(&self, mut waits: mpsc::UnboundedReceiver<Wait<'r>>) -> Infallible {
        let mut groups: Vec<Group<'r>> = Vec::new();
        let mut in_flight = FuturesUnordered::new();
        let mut count = 0;
        loop {
            // All waits that have come by now share their calls.
            while let Ok(wait) = waits.try_recv() {
                count += 1;
                admit(&mut groups, wait, count);
            }
            let now = Instant::now();
            for group in &mut groups {
                group.expire(now);
                if self.time_to_call(group).is_some_and(|time| time <= now) {
                    group.in_flight = true;
                    in_flight.push(self.send(group.call.clone(), count, group.until(now)));
                }
            }
            groups.retain(|group| group.in_flight || !group.members.is_empty());
            let wake = groups.iter().flat_map(|group| [self.time_to_call(group), group.first_end()]);
            let wake = wake.flatten().min();
            tokio::select! {
                biased;
                Some(wait) = waits.recv() => {
                    count += 1;
                    admit(&mut groups, wait, count);
                }
                Some(answered) = in_flight.next() => {
                    if let Some(group) = groups.iter_mut().find(|group| group.call == answered.call) {
                        self.deliver(group, &answered);
                    }
                }
                () = self.phases.changed() => {}
                () = sleep_until(wake.unwrap_or(now)), if wake.is_some() => {}
            }
        }
    }

    /// When the prober sends the next call of the group.
    fn time_to_call(&self, group: &Group<'_>) -> Option<Instant> {
        let due = group.members.iter().map(|member| member.due).min().filter(|_| !group.in_flight)?;
        let held = group.members.iter().any(|member| self.phases.expect(member.wait.document));
        Some(if held { due + HOLD } else { due })
    }

    async fn send(&self, call: ResolvedCall, waits: u64, deadline: Instant) -> Answered {
        let _permit = self.permits.acquire().await;
        let terms = Terms { deadline, permit: self.permit };
        let result = match self.cloud.query(&call, &Paging::None, terms).await {
            Ok(response) => Ok(response),
            Err(failure) => {
                let classified = self.classify.classify(&failure, deadline).await;
                Err((failure, classified))
            }
        };
        Answered { call, waits, result }
    }

    fn deliver(&self, group: &mut Group<'_>, answered: &Answered) {
        group.in_flight = false;
        let (heard, unheard) =
            group.members.drain(..).partition(|member: &Member<'_>| member.number <= answered.waits);
        group.members = unheard;
        for member in heard {
            let Member { wait, number, began, delay, presence, .. } = member;
            let sighting = match &answered.result {
                Ok(response) => wait.target.look(Some(response)),
                Err((failure, classified)) => match classified.outcome {
                    Outcome::AlreadySatisfied => wait.target.look(None),
                    Outcome::Fail | Outcome::AnotherToken => {
                        wait.end(Ended::Refused(classified.clone(), Box::new(failure.clone())));
                        continue;
                    }
                    Outcome::Retry => Sighting::NotYet(failure.to_string()),
                },
            };
            match sighting {
                Sighting::Success(item) => wait.end(Ended::Success(item)),
                Sighting::Failure(what) => wait.end(Ended::Failure(what)),
                Sighting::NotYet(how) if wait.once => wait.end(Ended::NotYet(how)),
                Sighting::NotYet(last) => {
                    let presence = match &answered.result {
                        Ok(_) => presence.after(last != ABSENT),
                        Err(_) => presence,
                    };
                    if presence.is_gone() {
                        wait.end(Ended::Gone);
                        continue;
                    }
                    let longest = wait.interval.max(FIRST_DELAY);
                    let (pause, delay) = if let Err((failure, _)) = &answered.result {
                        let pause = failure.retry_after.map_or(delay, |asked| asked.max(delay));
                        (self.listener)(Event::Retrying {
                            step: wait.step.to_owned(),
                            why: last.clone(),
                            delay: u64::try_from(pause.as_millis()).unwrap_or(u64::MAX),
                        });
                        (pause, (delay * 2).min(longest))
                    } else {
                        ((began.elapsed() / LATENESS).clamp(FIRST_DELAY, longest), FIRST_DELAY)
                    };
                    let due = Instant::now() + pause;
                    group.members.push(Member { wait, number, began, due, delay, last, presence });
                }
            }
        }
    }
}

impl Wait<'_> {
    fn end(self, ended: Ended) {
        // Where the step was interrupted, nobody receives this.
        let _ = self.reply.send(ended);
    }
}

impl Group<'_> {
    /// Drops the waits that no step waits for any more, and ends the waits whose time is over.
    fn expire(&mut self, now: Instant) {
        let (over, left) = self
            .members
            .drain(..)
            .partition(|member: &Member<'_>| member.wait.until <= now || member.wait.reply.is_closed());
        self.members = left;
        for Member { wait, last, .. } in over {
            wait.end(Ended::NotYet(last));
        }
    }

    /// When the time of the first wait is over.
    fn first_end(&self) -> Option<Instant> {
        self.members.iter().map(|member| member.wait.until).min()
    }

    /// When the time of the last wait is over.
    fn until(&self, now: Instant) -> Instant {
        self.members.iter().map(|member| member.wait.until).max().unwrap_or(now)
    }
}

fn admit<'r>(groups: &mut Vec<Group<'r>>, wait: Wait<'r>, number: u64) {
    let call = wait.call.clone();
    let last = "nothing is known of it yet".to_owned();
    let now = Instant::now();
    let presence = Presence::Unseen;
    let member = Member { wait, number, began: now, due: now, delay: FIRST_DELAY, last, presence };
    match groups.iter_mut().find(|group| group.call == call) {
        Some(group) => group.members.push(member),
        None => groups.push(Group { call, members: vec![member], in_flight: false }),
    }
}
