//! Commands that need a garden and a seed: all in one landscape, which the page about the landscape starts.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use kube::api::{Api, DynamicObject, PostParams};
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::core::{ApiResource, GroupVersionKind};
use kube::{Client, Config};
use serde_json::{Value, json};

use super::block::{Block, blocks};
use super::command::Command;
use super::names::Names;
use super::program::Program;
use super::stage::Stage;
use super::way::{Way, ways};
use super::{no, root};

/// The page that starts the landscape, and has lines for it.
const PAGE: &str = "docs/landscape.md";

/// Where `trellis run` and `trellis admission` serve here, and that they need not go on for those who still ask.
const HERE: &str = "--metrics-bind-address 127.0.0.1:0 --health-bind-address 127.0.0.1:0 --webhook-config-server-host 127.0.0.1 \
                    --webhook-config-server-port 0 --shutdown-delay-seconds 0";

#[test]
fn commands_of_a_garden_do_what_the_pages_say() {
    let (blocks, names) = (blocks(&root()), Names::read(&root()));
    let mut garden = Garden { stage: Stage::new(), landscape: None };
    garden.prepare();
    let mut complaints = Vec::new();
    let (own, others): (Vec<_>, Vec<_>) = blocks.iter().partition(|block| block.page == PAGE);
    let mut run = |garden: &mut Garden, block: &Block| {
        // What is wrong with the block itself, another test says.
        let done = ways(block, &names).unwrap_or_default().iter().try_for_each(|way| garden.run(way));
        complaints.extend(done.err().map(|why| format!("{}: {why}", block.place())));
    };
    for block in own {
        run(&mut garden, block);
    }
    if garden.landscape.is_some() {
        garden.fill();
        for block in others {
            run(&mut garden, block);
        }
    } else {
        complaints.push(format!("no block of {PAGE} starts the landscape"));
    }
    complaints.extend(garden.landscape.take().and_then(|landscape| landscape.interrupt().err()));
    no(&complaints);
}

struct Garden {
    stage: Stage,
    landscape: Option<Program>,
}

impl Garden {
    fn prepare(&mut self) {
        let stage = &mut self.stage;
        symlink(launcher().parent().unwrap(), stage.path("target/landscape")).unwrap();
        stage.names.push(("FOLDER", stage.path("landscape").display().to_string()));
        // A folder with a certificate, as a pod has it.
        let certified = rcgen::generate_simple_self_signed(vec!["trellis.garden.svc".to_owned()]).unwrap();
        stage.write("certificate/tls.crt", &certified.cert.pem());
        stage.write("certificate/tls.key", &certified.signing_key.serialize_pem());
        stage.names.push(("/etc/certificate", stage.path("certificate").display().to_string()));
        stage.variables.push(("TRELLIS", stage.path("bin/trellis").display().to_string()));
        stage.variables.push(("TRELLIS_POLICIES", stage.path("bin/policies").display().to_string()));
    }

    fn run(&mut self, way: &Way) -> Result<(), String> {
        match way {
            Way::Landscape(command) => self.start(command),
            Way::Lines(lines) => self.lines(lines),
            Way::RunInGarden(command, code) => self.stage.run(command, *code),
            Way::ServeInGarden(command) => {
                let text = command.text.split(" #").next().unwrap_or_default();
                let mut server = self.stage.start(&format!("{text} {HERE}"));
                server.line(|line| line.contains(r#""serving""#))?;
                command.compare(&server.printed)?;
                server.interrupt().map_err(|why| format!("`{}`: {why}", command.text))
            }
            Way::Run(..) | Way::Serve(_) | Way::Named => Ok(()),
        }
    }

    fn start(&mut self, command: &Command) -> Result<(), String> {
        let mut landscape = self.stage.start(&format!("{} 2>/dev/null", command.text));
        landscape.line(|line| line.contains(r#""event":"ready""#))?;
        let folder = self.stage.path("landscape");
        command.compare(&landscape.printed.replace(&folder.display().to_string(), "FOLDER"))?;
        for cluster in ["seed", "shoot"] {
            wait_for_controllers(&folder.join(format!("{cluster}-resource-manager.log")));
        }
        let kubeconfig = folder.join("seed.kubeconfig");
        // Servers of the landscape would heed it too.
        self.stage.variables.push(("KUBECONFIG", kubeconfig.display().to_string()));
        self.landscape = Some(landscape);
        Ok(())
    }

    /// Creates the namespaces that commands name, and what a garden has to have for a Shoot.
    fn fill(&self) {
        let namespaces = ["garden", "gardener-system-public"];
        let namespaces = namespaces
            .map(|name| json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": name } }));
        let files = ["cloudprofile.yaml", "secret.yaml", "shoot.yaml"];
        let objects = files.into_iter().flat_map(|file| self.stage.read(file));
        let objects: Vec<Value> = namespaces.into_iter().chain(objects).collect();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(create(&self.stage.path("landscape/seed.kubeconfig"), &objects));
    }

    /// Gives lines to the landscape, or those with an `id` to `gardenlet-driver`. A line that is no command is the
    /// answer to the one before.
    fn lines(&mut self, lines: &[String]) -> Result<(), String> {
        let Some(landscape) = &mut self.landscape else {
            return Err("no block before this one starts the landscape".to_owned());
        };
        let mut commands: Vec<Command> = Vec::new();
        for line in lines {
            if line.contains(r#""command":"#) {
                commands.push(Command { text: line.clone(), shown: Vec::new() });
            } else if let Some(command) = commands.last_mut() {
                command.shown.push(line.clone());
            }
        }
        for command in commands {
            if command.text.starts_with(r#"{"id":"#) {
                let mut driver = self
                    .stage
                    .start("target/landscape/gardenlet-driver FOLDER/seed.kubeconfig FOLDER/shoot.kubeconfig");
                driver.write_line(&command.text);
                let answer = driver.line(|line| line.starts_with('{'))?;
                command.compare(&answer)?;
                continue;
            }
            landscape.write_line(&command.text);
            let answer = landscape.line(|line| line.contains(r#""event":"#) && !line.contains(r#""progress""#))?;
            if ["refused", "error"].iter().any(|event| answer.contains(&format!(r#""event":"{event}""#))) {
                return Err(format!("the landscape refuses {}: {answer}", command.text));
            }
        }
        Ok(())
    }
}

/// Waits until a gardener-resource-manager has started its controllers. It says that it is ready a moment before,
/// and ends where it then finds no API server, as the page restarts one.
fn wait_for_controllers(log: &Path) {
    let end = Instant::now() + Duration::from_mins(1);
    let have_started = |log: String| {
        ["health", "managedresource"].iter().all(|name| {
            log.lines().any(|line| {
                line.contains("Starting workers") && line.contains(&format!(r#""controller": "{name}""#))
            })
        })
    };
    while !have_started(fs::read_to_string(log).unwrap()) {
        assert!(Instant::now() < end, "{} does not say that its controllers have started", log.display());
        thread::sleep(Duration::from_millis(50));
    }
}

/// Creates objects that are not there, each once the API server has what that needs in its caches.
async fn create(kubeconfig: &Path, objects: &[Value]) {
    let read = Kubeconfig::read_from(kubeconfig).unwrap();
    let config = Config::from_custom_kubeconfig(read, &KubeConfigOptions::default()).await.unwrap();
    let client = Client::try_from(config).unwrap();
    for object in objects {
        let object: DynamicObject = serde_json::from_value(object.clone()).unwrap();
        let resource = ApiResource::from_gvk(&GroupVersionKind::try_from(object.types.as_ref().unwrap()).unwrap());
        let api: Api<DynamicObject> = match &object.metadata.namespace {
            Some(namespace) => Api::namespaced_with(client.clone(), namespace, &resource),
            None => Api::all_with(client.clone(), &resource),
        };
        let end = Instant::now() + Duration::from_mins(1);
        while let Err(error) = api.create(&PostParams::default(), &object).await {
            match &error {
                kube::Error::Api(status) if status.code == 409 => break,
                kube::Error::Api(status) if [403, 503].contains(&status.code) && Instant::now() < end => {}
                _ => panic!("{}: {error}", resource.kind),
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

/// The launcher, built where it is missing.
fn launcher() -> PathBuf {
    if let Some(folder) = std::env::var_os("LANDSCAPE_PROGRAMS") {
        return PathBuf::from(folder).join("landscape");
    }
    let mut command = std::process::Command::new("go");
    command.arg("-C").arg(root().join("tests/landscape")).args(["run", "./build"]);
    let built = command.stdin(Stdio::null()).stderr(Stdio::inherit()).output().unwrap();
    assert!(built.status.success(), "the landscape was not built, see above: {}", built.status);
    PathBuf::from(String::from_utf8(built.stdout).unwrap().trim())
}
