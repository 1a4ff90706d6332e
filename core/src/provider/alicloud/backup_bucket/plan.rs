//! The plan of a BackupBucket in the frame of every plan.

use super::input::{self, BUCKET, Input, ORIGIN, Origin, PENDING, RETENTION_PENDING, WORM};
use super::world::{ABORT_DAYS, API, ENCRYPTION, Found, World, observe};
use super::{bucket, retention, status};
use crate::call::Query;
use crate::document::Path;
use crate::gardener::planning::error_codes::RETRYABLE_DEPENDENCIES;
use crate::gardener::planning::errors::Errors;
use crate::gardener::planning::facts::{Facts, KnownAccount};
use crate::gardener::planning::findings::{OwnershipRules, PlanFindings};
use crate::gardener::planning::frame::{self, Desired, Frame, Ownership, PlanRules, Subject};
use crate::plan::{Obstacle, recorded_value};
use crate::policy::{
    Afterwards, Consent, PlanAnswer, PlanOperation, PlanRequest, PlanSubject, RequestError, State,
};
use crate::provider::alicloud::oss::{self, LEFT, MARKER, PASS};
use crate::provider::alicloud::queries;
use crate::provider::alicloud::rules::backup_bucket_plan as rules;

/// Makes a plan, or says which queries somebody has to answer first, or what forbids a plan.
pub fn plan(request: &PlanRequest<'_>) -> Result<PlanAnswer, RequestError> {
    let subject = &request.request;
    let mut recorded = status::recorded(subject, request.state.as_ref())?;
    input::forget_unproven(&mut recorded);
    let adopts = request.consent.adopt || Consent::annotated(subject).adopt;
    if adopts && subject.operation != PlanOperation::Migrate {
        input::adopt(&mut recorded, bucket_name(subject));
    }
    let mut planning = frame::plan::<Input<'_>>(request, recorded)?;
    if planning.findings.iter().any(|finding| finding.rule == rules::BKT_010.id) {
        planning.codes = vec![RETRYABLE_DEPENDENCIES];
    }
    if let Some(plan) = &mut planning.plan {
        oss::finish(plan);
        input::forget_unproven(&mut plan.state);
        let is_found = recorded_value(&plan.state, ORIGIN) == Origin::Found.text();
        if is_found && subject.operation == PlanOperation::Delete {
            let mut findings = PlanFindings::new(*subject);
            findings.warning(&rules::BKT_009, kept(subject));
            planning.findings.extend(findings.into_findings());
        }
    }
    Ok(planning)
}

fn kept(subject: &PlanSubject<'_>) -> String {
    let name = bucket_name(subject);
    format!(
        "bucket {name} was there before this object: if it is still there, it is not emptied or deleted; to have it \
         deleted, annotate the object with backupbucket.trellis.gardener.cloud/adopt=true"
    )
}

fn bucket_name<'r>(subject: &PlanSubject<'r>) -> &'r str {
    subject.document().text_at(&["metadata", "name"])
}

impl<'r> Subject<'r> for Input<'r> {
    type World = World;

    const FRAME: &'static Frame = &Frame {
        api: &API,
        rules: PlanRules {
            ownership: OwnershipRules {
                // Neither is reached, because the state says how the bucket came to be the one of the object.
                unrecorded: &rules::BKT_009,
                unbound: &rules::BKT_009,
                nothing_found: &rules::BKT_011,
            },
            account: &rules::BKT_005,
            other_account: &rules::BKT_006,
            remedy: &rules::BKT_008,
        },
        ownership: Ownership::ByName,
        without_account: |state| state,
    };

    fn read(request: &PlanSubject<'r>, recorded: &State) -> Result<Self, Errors> {
        Input::read(request, recorded)
    }

    fn account_query(&self) -> Query {
        queries::account(self.bucket.region)
    }

    fn observe(&self, recorded: &State, facts: &mut Facts<'_>, account: &KnownAccount) -> World {
        observe(self, recorded, facts, &account.id)
    }

    fn imagine(&self, older: Option<&Self>) -> Result<(World, State), RequestError> {
        let older = older.filter(|older| older.bucket.name == self.bucket.name);
        let found = older.map(|older| Found::ours(older.bucket.region));
        let retention = older.and_then(|older| older.immutability).map(|immutability| {
            let days = immutability.retention_period;
            oss::Retention::imagined(days, immutability.locked)
        });
        let mut state = State::new();
        let mut world = World { retention, ..World::default() };
        if found.is_some() {
            world.origin = Origin::Created;
            state.insert(BUCKET, self.bucket.name.to_owned());
        }
        world.bucket = found;
        Ok((world, state))
    }

    fn desired<'i>(&'i self, world: &World, mut state: State) -> Result<Desired<'i>, RequestError> {
        let mut findings = PlanFindings::new(self.request);
        let mut set = |key: &str, value: Option<&str>| match value {
            Some(value) => state.insert(key, value.to_owned()),
            None => _ = state.remove(key),
        };
        // A bucket that is not ours stays where it is: a deletion has nothing to do with it.
        let is_left = self.is_deletion() && world.origin == Origin::Found;
        if let Some(found) = &world.bucket {
            if !is_left {
                self.add_faults(found, &world.account, &mut findings);
            }
            set(ORIGIN, world.origin.text());
            set(BUCKET, Some(self.bucket.name));
        } else if world.origin == Origin::Adopted {
            set(ORIGIN, None);
        }
        let mut resources = Vec::new();
        if !self.is_deletion() {
            for key in [MARKER, PASS, LEFT] {
                set(key, None);
            }
            set(WORM, world.retention.as_ref().map(|retention| retention.id.as_str()));
            if world.retention.is_some() {
                set(RETENTION_PENDING, None);
            }
            resources.push(bucket::wanted(self, world));
            resources.extend(retention::desired(self, world));
        } else if is_left {
            set(PENDING, None);
            set(RETENTION_PENDING, None);
        } else {
            set(RETENTION_PENDING, None);
            let sweep = world.sweep.as_ref();
            if let Some(kept) = sweep.filter(|sweep| sweep.is_marked()).and_then(oss::Sweep::kept) {
                findings.whole(&rules::BKT_010, kept);
            }
            resources.push(bucket::unwanted(self, world));
        }
        Ok(Desired { resources, state, findings })
    }

    fn add_obstacle(&self, findings: &mut PlanFindings<'_>, Obstacle { remedy, .. }: &Obstacle) {
        let place = Path::root("spec.providerConfig.immutability", "/immutability");
        findings.config(&rules::BKT_007, &place.key("retentionPeriod"), remedy.clone());
    }

    // The answers of these calls are certain.
    fn afterwards(&self, world: &World) -> Option<Afterwards> {
        (!retention::has_to_grow(self, world)).then_some(Afterwards::Done)
    }
}

impl Input<'_> {
    /// Adds that the bucket is of another account, or in another region.
    fn add_faults(&self, found: &Found, account: &str, findings: &mut PlanFindings<'_>) {
        let Found { owner, location, .. } = found;
        let name = self.bucket.name;
        if found.is_of_others(account) {
            let detail =
                format!("bucket {name} belongs to account {owner}, and the credentials to account {account}");
            findings.whole(&rules::BKT_003, detail);
        }
        if found.is_elsewhere(self.bucket.region) {
            let detail = format!("bucket {name} is in {location}");
            findings.at(&rules::BKT_004, &Path::root("spec.region", "/spec/region"), detail);
        }
    }
}

impl Found {
    /// A bucket as a run makes it.
    fn ours(region: &str) -> Self {
        Self {
            owner: String::new(),
            location: format!("oss-{region}"),
            encryption: ENCRYPTION.to_owned(),
            rules: vec![oss::Rule::aborting(ABORT_DAYS)],
        }
    }
}
