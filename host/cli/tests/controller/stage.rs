//! What a test runs in.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use kube::api::{DeleteParams, ListParams};
use rustix::process::Signal;
use tempfile::TempDir;

use crate::access;
use crate::gardenlet::Gardenlet;
use crate::landscape::{Landscape, Shared};
use crate::process::{Settings, Trellis};
use crate::proxy::Proxy;
use crate::seed::{KINDS, Seed, extension, resource};
use crate::shoot::{Shoot, credentials};
use crate::simulated::{Inventory, Site};
use crate::wait::{LIMIT, until};

/// A seed, a cloud, and the proxy that the program uses.
pub struct Stage {
    pub site: Arc<Site>,
    pub proxy: Proxy,
    pub seed: Seed,
    /// The program's own namespace.
    pub namespace: String,
    kubeconfig: PathBuf,
    _folder: TempDir,
    // Last: what is above uses it.
    pub landscape: Shared,
}

impl Stage {
    /// A stage in the landscape that all tests share, with room for so many networks.
    pub async fn new(networks: usize) -> Self {
        Self::on(Landscape::shared().await, Arc::new(Site::new(networks)), access::SEED).await
    }

    /// A stage without networks, whose program may do so much.
    pub async fn with_access(manifests: &[&str]) -> Self {
        Self::on(Landscape::shared().await, Arc::new(Site::new(1)), manifests).await
    }

    /// A stage in a landscape of its own, whose servers may be stopped.
    pub async fn alone(networks: usize) -> Self {
        Self::on(Landscape::own().await, Arc::new(Site::new(networks)), access::SEED).await
    }

    /// A stage in a second seed, with the cloud and the Shoots of this one. It has to end before this one.
    pub async fn second(&self) -> Self {
        Self::on(self.landscape.second().await, Arc::clone(&self.site), access::SEED).await
    }

    async fn on(landscape: Shared, site: Arc<Site>, manifests: &[&str]) -> Self {
        static LAST: AtomicUsize = AtomicUsize::new(0);
        let seed = Seed::connect(&landscape.kubeconfig).await;
        seed.clear().await;
        let namespace = format!("extension-{}", LAST.fetch_add(1, Ordering::Relaxed));
        let token = access::give(&seed, &namespace, manifests).await;
        let proxy = Proxy::start(seed.anonymous.clone()).await;
        let folder = TempDir::new().unwrap();
        let kubeconfig = folder.path().join("kubeconfig");
        proxy.write_kubeconfig(&kubeconfig, &token);
        Self { site, proxy, seed, namespace, kubeconfig, _folder: folder, landscape }
    }

    /// What gives the access of the program.
    pub fn kubeconfig(&self) -> &Path {
        &self.kubeconfig
    }

    pub fn gardenlet(&self) -> &Gardenlet {
        &self.landscape.gardenlet
    }

    /// What the program is started with on this stage.
    pub fn settings(&self, arguments: &[&str]) -> Settings {
        Settings {
            cloud: self.site.url.clone(),
            kubeconfig: self.kubeconfig.clone(),
            namespace: self.namespace.clone(),
            arguments: arguments.iter().map(|argument| (*argument).to_owned()).collect(),
        }
    }

    /// Starts the program.
    pub async fn trellis(&self, arguments: &[&str]) -> Trellis {
        Trellis::start(&self.settings(arguments)).await
    }

    /// Kills the program once this fault holds one of its calls, and ends all faults.
    pub async fn kill_at_held_call(&self, trellis: Trellis, fault: u64) {
        let is_held = async || {
            let faults = self.site.cloud().faults();
            faults.iter().any(|report| report.id == fault && !report.held.is_empty()).then_some(())
        };
        until("a call is held", LIMIT, is_held).await;
        trellis.signal(Signal::KILL);
        drop(trellis);
        self.site.cloud().release(None, None);
        self.site.cloud().delete_faults(None);
    }

    /// Makes what an Infrastructure of this Shoot needs in the seed.
    pub async fn prepare(&self, shoot: &Shoot) {
        self.gardenlet().namespace(shoot).await;
        self.gardenlet().cluster(shoot).await;
        self.gardenlet().cloudprovider(shoot, credentials()).await;
    }

    /// Creates the Infrastructure of a Shoot with what it needs.
    pub async fn create(&self, shoot: &Shoot) {
        self.prepare(shoot).await;
        self.gardenlet().deploy(shoot).await;
    }

    /// Creates the Infrastructure of a Shoot, and waits until it is ready.
    pub async fn ready(&self, shoot: &Shoot) {
        self.create(shoot).await;
        self.gardenlet().wait(shoot).await;
    }

    /// Deletes the Infrastructure of a Shoot and then its namespace and Cluster, and waits until all has gone.
    pub async fn remove(&self, shoot: &Shoot) {
        self.gardenlet().destroy(shoot).await;
        self.gardenlet().wait_cleanup(shoot).await;
        self.gardenlet().delete_namespace(shoot).await;
    }

    /// The API server forbade nothing.
    pub fn nothing_was_forbidden(&self) {
        assert_eq!(self.proxy.forbidden(), [], "the ClusterRole lacks something");
    }

    /// Nothing is left in the cloud, and no extension resource, Cluster or namespace of a Shoot in the seed.
    pub async fn nothing_is_left(&self) {
        assert_eq!(self.site.inventory(), Inventory::new(), "leaked in the cloud");
        for kind in KINDS {
            let all = self.seed.global(&extension(kind)).list(&ListParams::default()).await.unwrap();
            let names: Vec<_> = all.iter().map(|object| &object.metadata.name).collect();
            assert!(names.is_empty(), "{kind} left: {names:?}");
        }
        let namespaces = self.seed.global(&resource("", "v1", "Namespace"));
        let all = namespaces.list(&ListParams::default()).await.unwrap();
        let left: Vec<_> = all.iter().filter_map(|object| object.metadata.name.as_deref()).collect();
        assert!(!left.iter().any(|name| name.starts_with("shoot--")), "{left:?}");
    }

    /// Deletes the program's own namespace.
    pub async fn close(self) {
        let namespaces = self.seed.global(&resource("", "v1", "Namespace"));
        namespaces.delete(&self.namespace, &DeleteParams::default()).await.unwrap();
    }
}
