//! The turns of calls: an account has a pace for each action, and an access key a limit for some services.

use std::time::Duration;

use tokio::time::Instant;

use super::{Session, Who};
use crate::call::ResolvedCall;
use crate::call::failure::{CallFailure, THROTTLED, TIMEOUT};
use crate::limits::permit::Terms;
use crate::transport::pace::{self, Limit};

/// The shortest wait for a turn that counts as one.
const NOTEWORTHY: Duration = Duration::from_millis(1);

impl Session {
    /// Waits for the turn of a call.
    pub(super) async fn turn(
        &self,
        call: &ResolvedCall,
        who: Who<'_>,
        terms: Terms<'_>,
    ) -> Result<(), CallFailure> {
        let turns = async {
            let limited = self.limited(call, who, terms).await?;
            let turn = self.realm.pace.turn(self.lane(who), terms.deadline).await;
            turn.map(|waited| limited + waited).map_err(|pace::Late| late())
        };
        let waited = tokio::select! {
            biased;
            ended = terms.permit.ended() => return Err(ended.into()),
            waited = turns => waited?,
        };
        if waited >= NOTEWORTHY {
            self.tally().wait(waited);
        }
        Ok(())
    }

    /// Waits until an access key may make one more call of a service, and says how long that took.
    async fn limited(&self, call: &ResolvedCall, who: Who<'_>, terms: Terms<'_>) -> Result<Duration, CallFailure> {
        let Some(own) = self.family.limit(call) else { return Ok(Duration::ZERO) };
        let Limit { rate, wait } = self.realm.limit.unwrap_or(own);
        let account = who.credential.id().to_owned();
        let key = pace::Key { account, service: who.service.to_owned(), action: String::new() };
        let until = terms.deadline.min(Instant::now() + wait);
        let turn = self.realm.pace.turn_at(rate, key, until).await;
        turn.map_err(|pace::Late| {
            if until == terms.deadline {
                return late();
            }
            let message = format!(
                "the call was not sent: this process makes at most {} calls of `{}` a second with one access key, and the turn of \
                 this one did not come within {} s",
                rate.per_second,
                who.service,
                wait.as_secs_f64()
            );
            CallFailure::own(THROTTLED, message)
        })
    }

    /// The calls that a call shares its pace with.
    pub(super) fn lane(&self, who: Who<'_>) -> pace::Key {
        let account = self.realm.identities.account(who.credential.id());
        pace::Key { account, service: who.service.to_owned(), action: who.action.to_owned() }
    }
}

fn late() -> CallFailure {
    CallFailure::own(TIMEOUT, "the call was not sent: its time was over before its turn came")
}
