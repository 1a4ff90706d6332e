//! The plan of a bucket, which is one resource: while there is something in it, a plan takes out one handful.

use trellis_core::call::{Paging, Query};
use trellis_core::document::{JsonText, Value};
use trellis_core::gardener::planning::facts::{Facts, KnownAccount};
use trellis_core::gardener::planning::findings::PlanFindings;
use trellis_core::gardener::planning::frame::{self, Desired, Frame, Ownership, Subject};
use trellis_core::gardener::planning::steps::{create, step};
use trellis_core::gardener::planning::{entry::Entry, errors::Errors};
use trellis_core::plan::{Obstacle, Resource, ResourceKind};
use trellis_core::policy::{
    Afterwards, PlanAnswer, PlanOperation, PlanRequest, PlanSubject, RequestError, State, StatusRequest,
    SubjectStatus,
};

use super::infrastructure::{FRAME, call, who};

const BUCKET: ResourceKind = ResourceKind { name: "bucket", billed: false, association: false };

pub fn plan(request: &PlanRequest<'_>) -> Result<PlanAnswer, RequestError> {
    frame::plan::<Bucket<'_>>(request, request.state.clone().unwrap_or_default())
}

#[expect(clippy::unnecessary_wraps, reason = "it stands in a table")]
pub fn status(_: &StatusRequest<'_>) -> Result<SubjectStatus, RequestError> {
    Ok(SubjectStatus::of(JsonText::from(&Value::object([("kind", Value::string("BucketState"))]))))
}

struct Bucket<'r>(PlanSubject<'r>);

impl<'r> Subject<'r> for Bucket<'r> {
    /// Id of the bucket, and what is in it.
    type World = Option<(String, String)>;

    const FRAME: &'static Frame = &Frame { ownership: Ownership::ByName, ..FRAME };

    fn read(request: &PlanSubject<'r>, _recorded: &State) -> Result<Self, Errors> {
        Ok(Self(*request))
    }

    fn account_query(&self) -> Query {
        who()
    }

    fn observe(&self, _recorded: &State, facts: &mut Facts<'_>, _account: &KnownAccount) -> Self::World {
        let read = |entry: &Entry<'_>| (entry.id("id").to_owned(), entry.text(&["content"]).to_owned());
        let query = Query { id: "buckets".to_owned(), call: call("List"), paging: Paging::None, identity: None };
        facts.list(query, "/buckets", None, read)?.into_iter().next()
    }

    fn imagine(&self, _older: Option<&Self>) -> Result<(Self::World, State), RequestError> {
        Ok((None, State::new()))
    }

    fn desired<'i>(&'i self, found: &Self::World, state: State) -> Result<Desired<'i>, RequestError> {
        let mut bucket = Resource::new("bucket", &BUCKET, &self.0.identity());
        bucket.wanted = self.0.operation != PlanOperation::Delete;
        bucket.key = Some("Bucket".to_owned());
        bucket.create = vec![create("bucket", call("Make"), "Bucket", "/id")];
        bucket.delete = vec![step("bucket", "delete", call("Break"))];
        if let Some((id, content)) = found {
            bucket.found = Some(id.clone());
            bucket.is_partial = !content.is_empty();
        }
        if bucket.is_partial {
            bucket.delete = vec![step("bucket", "empty", call("Empty"))];
        }
        Ok(Desired { resources: vec![bucket], state, findings: PlanFindings::new(self.0) })
    }

    fn add_obstacle(&self, findings: &mut PlanFindings<'_>, obstacle: &Obstacle) {
        findings.whole(FRAME.rules.remedy, obstacle.remedy.clone());
    }

    fn afterwards(&self, _world: &Self::World) -> Option<Afterwards> {
        Some(Afterwards::Done)
    }
}
