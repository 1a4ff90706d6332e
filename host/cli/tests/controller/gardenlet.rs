//! gardenlet's own code, which creates extension resources, waits for them, migrates, restores and deletes them:
//! the program next to the launcher, over its line protocol (docs/landscape.md).

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::shoot::{Asked, Shoot, seed};

/// How long a wait goes on. gardenlet itself takes 10 minutes.
const WAIT: Duration = Duration::from_mins(3);
/// How often a wait looks.
const INTERVAL: Duration = Duration::from_millis(100);

/// Why a command failed.
#[derive(Clone, Debug, Deserialize)]
pub struct Failure {
    pub message: String,
    /// Those of `lastError`.
    #[serde(default)]
    pub codes: Vec<String>,
}

/// The answer to a line.
#[derive(Deserialize)]
struct Answer {
    id: u64,
    #[serde(default)]
    result: Value,
    error: Option<Failure>,
}

type Waiting = Arc<Mutex<HashMap<u64, oneshot::Sender<Answer>>>>;

/// The program. Commands run side by side.
pub struct Gardenlet {
    child: Child,
    input: Mutex<Option<ChildStdin>>,
    waiting: Waiting,
    last: AtomicU64,
}

impl Gardenlet {
    /// Starts the program with kubeconfigs of administrators, of the seed and of the Shoot.
    pub fn start(program: &Path, seed: &Path, shoot: &Path) -> Self {
        let mut command = Command::new(program);
        command.args([seed, shoot]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut child = command.spawn().unwrap();
        let waiting = Waiting::default();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let answers = Arc::clone(&waiting);
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                let answer: Answer = serde_json::from_str(&line).unwrap();
                if let Some(asked) = answers.lock().unwrap().remove(&answer.id) {
                    // The caller may wait no longer.
                    let _ = asked.send(answer);
                }
            }
            // Callers that still wait learn that there will be no answer.
            answers.lock().unwrap().clear();
        });
        let input = Mutex::new(child.stdin.take());
        Self { child, input, waiting, last: AtomicU64::new(0) }
    }

    async fn ask(&self, mut request: Value) -> Result<Value, Failure> {
        let id = self.last.fetch_add(1, Ordering::Relaxed) + 1;
        request["id"] = id.into();
        let (send, answer) = oneshot::channel();
        self.waiting.lock().unwrap().insert(id, send);
        {
            let mut input = self.input.lock().unwrap();
            let input = input.as_mut().unwrap();
            writeln!(input, "{request}").unwrap();
            input.flush().unwrap();
        }
        let command = &request["command"];
        let answer = timeout(WAIT * 2, answer).await.unwrap_or_else(|_| panic!("no answer to {command}"));
        let answer = answer.unwrap_or_else(|_| panic!("gardenlet's program ended before it answered {command}"));
        answer.error.map_or(Ok(answer.result), Err)
    }

    async fn answer(&self, request: Value) -> Value {
        let command = request["command"].clone();
        self.ask(request).await.unwrap_or_else(|failure| panic!("{command}: {failure:?}"))
    }

    /// Which program this is, and what it knows.
    pub async fn hello(&self) -> Value {
        self.answer(json!({ "command": "hello" })).await
    }

    /// Creates or labels the namespace of a Shoot.
    pub async fn namespace(&self, shoot: &Shoot) {
        let request = json!({ "command": "namespace", "namespace": shoot.namespace, "shoot": shoot.document });
        self.answer(request).await;
    }

    /// Creates the Cluster of a Shoot, or replaces its spec.
    pub async fn cluster(&self, shoot: &Shoot) {
        self.answer(json!({
            "command": "cluster", "namespace": shoot.namespace, "shoot": shoot.document,
            "cloudProfile": shoot.cloud_profile(), "seed": seed(),
        }))
        .await;
    }

    /// Creates the Secret `cloudprovider`, or merges these data into it.
    pub async fn cloudprovider(&self, shoot: &Shoot, data: Value) {
        self.answer(json!({ "command": "cloudprovider", "namespace": shoot.namespace, "data": data })).await;
    }

    /// Gives components access to the Shoot's API server.
    pub async fn access(&self, shoot: &Shoot) {
        self.answer(timed(json!({ "command": "access", "namespace": shoot.namespace }), WAIT)).await;
    }

    /// Deploys `kube-apiserver` or `machine-controller-manager` with so many replicas.
    pub async fn scale(&self, shoot: &Shoot, deployment: &str, replicas: u8) {
        self.answer(json!({
            "command": "scale", "namespace": shoot.namespace, "deployment": deployment, "replicas": replicas,
        }))
        .await;
    }

    /// Creates the user data that the Worker will name.
    pub async fn user_data(&self, shoot: &Shoot, text: &str) {
        self.answer(json!({
            "command": "userData", "namespace": shoot.namespace, "shoot": shoot.document, "data": { "cloud_config": text },
        }))
        .await;
    }

    /// Makes the certificates of a ControlPlane as the existing extension does. Answers with the names of the
    /// Secrets.
    pub async fn secrets_manager(&self, shoot: &Shoot) -> Value {
        self.answer(json!({ "command": "secretsManager", "namespace": shoot.namespace })).await["secrets"].clone()
    }

    /// What a migration takes along: `shootState`, and `machineState` where there are machines.
    pub async fn save_state(&self, shoot: &Shoot) -> Value {
        self.answer(json!({ "command": "saveState", "namespace": shoot.namespace })).await
    }

    /// Creates the Secrets that a migration has taken along.
    pub async fn restore_state(&self, shoot: &Shoot, saved: &Value) {
        self.answer(json!({
            "command": "restoreState", "namespace": shoot.namespace, "shootState": saved["shootState"],
        }))
        .await;
    }

    /// Lets go of the objects of machines.
    pub async fn forget_machines(&self, shoot: &Shoot) {
        self.answer(json!({ "command": "forgetMachines", "namespace": shoot.namespace })).await;
    }

    /// As `deploy`, of an object that is there. gardenlet compares whole seconds: it would take a success of the
    /// second in which it asks for the answer.
    pub async fn redeploy(&self, of: &impl Asked) -> i64 {
        let rest = 1_000 - u64::try_from(jiff::Timestamp::now().as_millisecond() % 1_000).unwrap();
        tokio::time::sleep(Duration::from_millis(rest)).await;
        self.deploy(of).await
    }

    /// Creates the Infrastructure or replaces its spec, and asks for its reconciliation, unless the request leaves that
    /// to gardenlet. Answers with its generation.
    pub async fn deploy(&self, of: &impl Asked) -> i64 {
        let mut request = of.request("deploy");
        if request.get("annotateOperation").is_none() {
            request["annotateOperation"] = true.into();
        }
        self.answer(request).await["generation"].as_i64().unwrap()
    }

    /// Waits until the Infrastructure is ready: its status. An error of the extension counts only at the end.
    pub async fn wait(&self, of: &impl Asked) -> Value {
        self.try_wait(of, WAIT)
            .await
            .unwrap_or_else(|failure| panic!("{}: {failure:?}", of.request("wait")["namespace"]))
    }

    /// Waits until the Infrastructure is ready. An error of the extension ends the wait after this time.
    pub async fn try_wait(&self, of: &impl Asked, severe: Duration) -> Result<Value, Failure> {
        let request = timed(of.request("wait"), severe);
        self.ask(request).await.map(|result| result["status"].clone())
    }

    /// Asks for a migration.
    pub async fn migrate(&self, of: &impl Asked) {
        self.answer(of.request("migrate")).await;
    }

    /// Waits for a migration that succeeded.
    pub async fn wait_migrate(&self, of: &impl Asked) {
        self.answer(timed(of.request("waitMigrate"), WAIT)).await;
    }

    /// Creates the Infrastructure inert, gives it its state, and asks for its restoration.
    pub async fn restore(&self, of: &impl Asked, state: &Value) {
        let mut request = of.request("restore");
        request["state"] = state.clone();
        self.answer(request).await;
    }

    /// Confirms the deletion, and deletes.
    pub async fn destroy(&self, of: &impl Asked) {
        self.answer(of.request("destroy")).await;
    }

    /// Waits until the Infrastructure has gone.
    pub async fn wait_cleanup(&self, of: &impl Asked) {
        self.answer(timed(of.request("waitCleanup"), WAIT)).await;
    }

    /// Deletes the namespace and the Cluster of a Shoot, and waits until both have gone.
    pub async fn delete_namespace(&self, shoot: &Shoot) {
        let request = json!({ "command": "deleteNamespace", "namespace": shoot.namespace });
        self.answer(timed(request, WAIT)).await;
    }
}

impl Drop for Gardenlet {
    fn drop(&mut self) {
        // It ends with its input.
        drop(self.input.lock().unwrap().take());
        let _ = self.child.wait();
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap()
}

/// A request of somebody who waits.
fn timed(mut request: Value, severe: Duration) -> Value {
    request["interval"] = milliseconds(INTERVAL).into();
    request["timeout"] = milliseconds(WAIT).into();
    if request["command"] == "wait" {
        request["severeThreshold"] = milliseconds(severe).into();
    }
    request
}
