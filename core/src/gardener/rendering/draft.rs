//! A control plane that is being rendered: the frame that every provider's rendering has, and what its values take
//! from the request.

use super::{
    ControlPlane, Delivery, Hibernation, ImageSource, ImageVector, ImageVectorError, generic_kubeconfig,
    hibernation, managed_resource,
};
use crate::call::FactAnswer;
use crate::collections::NameMap;
use crate::document::decode::DecodeError;
use crate::document::{JsonText, Path, Value, parse};
use crate::gardener::extension_objects::{Preview, control_plane};
use crate::gardener::types::secret::Secret;
use crate::kube::query;
use crate::policy::{KeptSecret, ObjectName, RenderAnswer, RenderRequest, RequestError, Restart};
use crate::report::{ErrorType, Report, Rule};

/// Where the status of the infrastructure is in a ControlPlane.
const STATUS: &str = "/spec/infrastructureProviderStatus";

/// What a provider says of its control planes.
#[derive(Clone, Copy, Debug)]
pub struct ControlPlanes {
    /// The status that the infrastructure of a Shoot would have, with placeholders for what only the cloud knows.
    pub preview_status: for<'s> fn(&'s Value<'s>, &mut Preview) -> Value<'s>,
    /// What a control plane consists of. None where an error says what is wrong, or a query has to be answered before.
    pub parts: fn(&mut ControlPlaneDraft<'_>) -> Result<Option<ControlPlaneParts>, RequestError>,
    /// The rule that lists placeholders.
    pub placeholders: &'static Rule,
}

/// What a control plane consists of. It has no `Debug`, because values hold credentials.
pub struct ControlPlaneParts {
    /// What is delivered, each with the values of its templates as JSON.
    pub deliveries: Vec<(Delivery, String)>,
    /// The Secrets that the host keeps.
    pub secrets: Vec<KeptSecret>,
    /// What earlier releases left behind in the namespace: `apiVersion`, `kind` and name of each object.
    pub leftovers: &'static [(&'static str, &'static str, &'static str)],
}

/// A control plane that is being rendered.
#[derive(Debug)]
pub struct ControlPlaneDraft<'b> {
    /// The request.
    pub request: &'b RenderRequest<'b>,
    /// The control plane.
    pub control_plane: &'b ControlPlane<'b>,
    /// The placeholders of a preview.
    pub preview: Preview,
    /// Workloads whose pods restart.
    pub restarts: Vec<Restart>,
    /// What is wrong, and what has to be known before.
    pub report: Report<'b>,
    /// Whether the host asks again later.
    requeue: bool,
}

/// Renders a control plane: that of the request, or, where the request has a Shoot alone, the one that gardenlet would
/// create.
pub fn render(request: &RenderRequest<'_>, provider: &ControlPlanes) -> Result<RenderAnswer, RequestError> {
    let mut preview = Preview::default();
    let previewed;
    let object = if let Some(object) = request.control_plane {
        object
    } else {
        let shoot = request.cluster.shoot;
        previewed = control_plane(shoot, (provider.preview_status)(shoot, &mut preview));
        &previewed
    };
    let control_plane = ControlPlane::of(request, object)?;
    let report = Report::of_secret(request.control_plane.unwrap_or(request.cluster.shoot));
    let (restarts, requeue) = (Vec::new(), false);
    let mut draft =
        ControlPlaneDraft { request, control_plane: &control_plane, preview, restarts, report, requeue };
    let parts = (provider.parts)(&mut draft)?;
    let ControlPlaneDraft { preview, restarts, mut report, requeue, .. } = draft;
    let mut rendering = RenderAnswer { requeue, restarts, ..RenderAnswer::default() };
    if let Some(ControlPlaneParts { deliveries, secrets, leftovers }) = parts {
        let mut resources = Vec::with_capacity(deliveries.len());
        for (delivery, values) in &deliveries {
            resources.push(managed_resource(*delivery, &parse(values)?)?);
        }
        rendering.managed_resources = Some(resources);
        rendering.secrets = secrets;
        if !control_plane.is_preview {
            let named = |&(api_version, kind, name): &(_, _, &str)| {
                ObjectName::within(api_version, kind, control_plane.namespace, name)
            };
            rendering.delete = leftovers.iter().map(named).collect();
        }
        rendering.values = request.with_values.then(|| values_by_bundle(deliveries));
    }
    preview.report(provider.placeholders, &mut report);
    (rendering.findings, rendering.undecided) = report.into_parts();
    Ok(rendering)
}

fn values_by_bundle(deliveries: Vec<(Delivery, String)>) -> NameMap<'static, JsonText> {
    let by_bundle = |(delivery, values): (Delivery, _)| (delivery.bundle.name, JsonText::from_json(values));
    deliveries.into_iter().map(by_bundle).collect()
}

impl<'b> ControlPlaneDraft<'b> {
    /// Says that nobody can read a document of the control plane, such as its `providerConfig`.
    pub fn undecodable(&mut self, rule: &'static Rule, what: &str, pointer: &str, error: &DecodeError) {
        let detail =
            format!("could not decode {what} of controlplane '{}': {error}", self.control_plane.full_name());
        let pointer = format!("{pointer}{}", error.pointer());
        self.report.error(rule, &Path::root("", &pointer), ErrorType::Denied, detail);
    }

    /// The status of the infrastructure, as `read` decodes it. None where an error says what is wrong.
    pub fn infrastructure_status<S>(
        &mut self,
        rule: &'static Rule,
        read: impl FnOnce(&'b Value<'b>) -> Result<S, DecodeError>,
    ) -> Option<S> {
        let what = "infrastructureProviderStatus";
        let Some(value) = self.control_plane.infrastructure_status else {
            let name = self.control_plane.full_name();
            self.report.deny(
                rule,
                STATUS,
                format!("could not decode {what} of controlplane '{name}': it is absent"),
            );
            return None;
        };
        read(value).map_err(|error| self.undecodable(rule, what, STATUS, &error)).ok()
    }

    /// Refuses the status of the infrastructure for something below `place`.
    pub fn refuse_status(&mut self, rule: &'static Rule, place: &str, detail: String) {
        self.report.deny(rule, &format!("{STATUS}{place}"), detail);
    }

    /// The credentials, as `read` takes them from the Secret and its name, or `placeholders` for a preview without the
    /// Secret. None where a query has to be answered before, or where an error says what is wrong: it begins with
    /// `could_not`.
    pub fn credentials<C>(
        &mut self,
        rule: &'static Rule,
        could_not: &str,
        read: fn(&Secret<'_>, &str) -> Result<C, String>,
        placeholders: fn(&mut Preview) -> C,
    ) -> Option<C> {
        let (namespace, name) = self.control_plane.secret_ref;
        let query = query::object("v1", "Secret", namespace, name);
        let problem = match self.request.fact(&query) {
            None if self.control_plane.is_preview => return Some(placeholders(&mut self.preview)),
            None => {
                let why = "nobody has looked up the Secret with the credentials";
                self.report.undecided(rule, why, Some(query));
                return None;
            }
            Some(FactAnswer::Error { message, .. }) => message.to_owned(),
            Some(FactAnswer::Response(object)) => match Secret::read(object) {
                Ok(secret) => match read(&secret, &format!("{namespace}/{name}")) {
                    Ok(credentials) => return Some(credentials),
                    Err(problem) => problem,
                },
                Err(error) => error.to_string(),
            },
        };
        self.report.deny(rule, "/spec/secretRef", format!("{could_not}: {problem}"));
        None
    }

    /// How many pods the Deployments have: 1, or 0 while the Shoot hibernates. None where nobody knows.
    pub fn replicas(&mut self, rule: &'static Rule) -> Option<u8> {
        match hibernation(self.request, self.control_plane) {
            Hibernation::Awake => Some(1),
            Hibernation::Asleep => Some(0),
            Hibernation::FallingAsleep => {
                self.requeue = true;
                Some(1)
            }
            Hibernation::Unknown(query) => {
                let why = "the Shoot hibernates, and nobody has looked whether its kube-apiserver still runs";
                self.report.undecided(rule, why, Some(query));
                None
            }
            Hibernation::Failed(message) => {
                let detail = format!("could not look whether the kube-apiserver of the Shoot runs: {message}");
                self.report.deny(rule, "", detail);
                None
            }
        }
    }

    /// The images that `find` looks for, by the Kubernetes versions of the seed and of the Shoot. None where an error
    /// says what is wrong.
    pub fn images<I>(
        &mut self,
        rule: &'static Rule,
        own: &[ImageSource<'static>],
        find: fn(&ImageVector<'_>, &str, &str) -> Result<I, ImageVectorError>,
    ) -> Option<I> {
        let cluster = &self.request.cluster;
        let text = |value: Option<&'b Value<'b>>| value.and_then(Value::as_str).unwrap_or_default();
        let of_shoot = text(cluster.shoot.at(&["spec", "kubernetes", "version"]));
        let of_seed = text(cluster.seed.and_then(|seed| seed.at(&["status", "kubernetesVersion"])));
        let found = ImageVector::of(own, self.request.images).and_then(|vector| find(&vector, of_seed, of_shoot));
        found.map_err(|error| self.report.deny(rule, "", error.to_string())).ok()
    }

    /// The Secret with the kubeconfig that tokens go with.
    pub fn kubeconfig(&mut self) -> String {
        if self.request.control_plane.is_none() && self.request.cluster.metadata.is_none() {
            return self.preview.placeholder("name of the Secret with the generic kubeconfig");
        }
        generic_kubeconfig(&self.request.cluster).to_owned()
    }
}
