//! Answers reviews.

use std::sync::Arc;

use tokio::time::Instant;

use super::conversation::{Asked, Conversation, NoAnswer};
use super::kinds;
use super::parts::{Admission, Mode};
use super::registered;
use super::reviewed::{Effect, ReviewedObject};
use super::wording;
use crate::webhook::{Answer, Review, Webhook};
use trellis_policies::answer::{Defaulting, Severity, Validation, Verdict};
use trellis_policies::engine::Asker;

/// The code of a policy's refusal of an object that is another provider's.
const OTHER_PROVIDER: &str = "OtherProvider";
/// The error of a policy whose cloud has no such objects: not every cloud trusts a WorkloadIdentity.
const UNSUPPORTED_KIND: &str = "UnsupportedKind";
/// The least patch: no operation.
const NO_CHANGE: &str = "[]";

impl Admission {
    /// The webhooks of admission.
    pub fn webhooks(self: &Arc<Self>) -> Vec<Webhook> {
        let answer = |effect: Effect| {
            let admission = Arc::clone(self);
            move |review: Review| {
                let admission = Arc::clone(&admission);
                async move { admission.answer(review, effect).await }
            }
        };
        let (judge, complete) = (answer(Effect::Validates), answer(Effect::Mutates));
        vec![
            Webhook::new(registered::VALIDATOR, "/webhooks/validate", &kinds::VALIDATED, judge.clone()),
            Webhook::new(registered::SECRETS, "/webhooks/validate/secrets", &kinds::SECRETS, judge),
            Webhook::new(registered::MUTATOR, "/webhooks/mutate", &kinds::MUTATED, complete),
        ]
    }

    /// Answers a review.
    pub async fn answer(&self, review: Review, effect: Effect) -> Answer {
        let deadline = review.deadline;
        let answer = match ReviewedObject::of(review, effect) {
            Ok(None) => return Answer::allowed(),
            Err(error) => Answer::unreadable(error.to_string()),
            Ok(Some(reviewed)) => match effect {
                Effect::Validates => self.validate(&reviewed, deadline).await,
                Effect::Mutates => self.mutate(&reviewed, deadline).await,
            },
        };
        if self.mode == Mode::Warn { admitted(answer) } else { answer }
    }

    pub(super) fn asker(&self) -> Asker {
        Asker::new(self.policies.current(), &self.provider, self.threads.clone())
    }

    async fn validate(&self, reviewed: &ReviewedObject, deadline: Instant) -> Answer {
        let conversation = Conversation::new(self, reviewed, deadline);
        let Asked { answer: validation, unanswered } =
            match conversation.ask::<Validation>(self.mode == Mode::Ratchet).await {
                Ok(asked) => asked,
                Err(error) => return refusal(error),
            };
        let Validation { verdict, findings, undecided, truncated, .. } = validation;
        let mut answer = match verdict {
            Verdict::Accept => Answer::allowed(),
            Verdict::Reject => {
                let mut lines = wording::lines(&findings, Severity::Error);
                if truncated.contains(&Severity::Error) {
                    lines.push("there are more errors than are listed".to_owned());
                }
                Answer::denied(wording::list(&lines))
            }
            Verdict::Undecided => {
                let lines = wording::undecided(&undecided, &unanswered);
                let mut rules: Vec<&str> = undecided.iter().map(|one| one.rule.as_str()).collect();
                rules.dedup();
                answer_undecided(&lines, &rules)
            }
        };
        answer.warnings = wording::lines(&findings, Severity::Warning);
        for (key, severity) in [("errors", Severity::Error), ("warnings", Severity::Warning)] {
            let rules = wording::rules(&findings, severity);
            if !rules.is_empty() {
                answer.audit.insert(key, rules);
            }
        }
        answer
    }

    async fn mutate(&self, reviewed: &ReviewedObject, deadline: Instant) -> Answer {
        let conversation = Conversation::new(self, reviewed, deadline);
        let Asked { answer: defaulting, unanswered } = match conversation.ask::<Defaulting>(false).await {
            Ok(asked) => asked,
            Err(error) => return refusal(error),
        };
        let Defaulting { patch, changes, undecided, .. } = defaulting;
        if !undecided.is_empty() {
            let lines = wording::undecided(&undecided, &unanswered);
            let rules: Vec<&str> = undecided.iter().map(|one| one.rule.as_str()).collect();
            return answer_undecided(&lines, &rules);
        }
        if patch.get() == NO_CHANGE {
            return Answer::allowed();
        }
        let mut rules: Vec<&str> = changes.iter().map(|change| change.rule.as_str()).collect();
        rules.sort_unstable();
        rules.dedup();
        Answer { audit: [("defaults", rules.join(","))].into(), ..Answer::patched(patch) }
    }
}

fn answer_undecided(lines: &[String], rules: &[&str]) -> Answer {
    Answer { audit: [("undecided", rules.join(","))].into(), ..Answer::failed(wording::try_again(lines)) }
}

/// The answer where the policy has none.
fn refusal(error: NoAnswer) -> Answer {
    match error {
        // The provider's own admission judges it.
        NoAnswer::Failure(failure) if failure.code == OTHER_PROVIDER => Answer::allowed(),
        // The webhooks are registered alike for all providers, and no rule is about the object.
        NoAnswer::Failure(failure) if failure.code == UNSUPPORTED_KIND => Answer::allowed(),
        NoAnswer::Failure(failure) if failure.is_denied() => Answer::denied(wording::failure(&failure)),
        NoAnswer::Failure(failure) => Answer::unreadable(wording::failure(&failure)),
        NoAnswer::Broken(why) => Answer::failed(wording::try_again(&[why])),
    }
}

/// The same answer for an object that is admitted in any case.
fn admitted(mut answer: Answer) -> Answer {
    if let Some(denial) = answer.denial.take() {
        let mut warnings: Vec<String> = denial.message.lines().map(str::to_owned).collect();
        warnings.append(&mut answer.warnings);
        answer.warnings = warnings;
    }
    answer
}
