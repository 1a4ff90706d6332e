//! The folder that commands run in, with what pages presume, and what stands in for what is not on this machine.
//!
//! | a page has | here it is |
//! |---|---|
//! | `shoot.yaml`, `old.yaml`, `shoot-live.yaml`, `new.yaml` | `examples/two-zones.yaml`; `new.yaml` has another machine type, and a feature gate |
//! | `cloudprofile.yaml`, `secret.yaml`, `manifests/`, `examples/` | those of the examples |
//! | `record.yaml`, `bastion.yaml` | what docs/apply.md shows of them |
//! | `garden.json` | an OpenAPI document with the fields of that Shoot |
//! | `trellis` | the program that was built along with this test, with the policies and a page next to it |
//! | `$DIGEST` | that of `policies/alicloud.wasm` |
//! | `kubectl get KIND …` | the file `garden/KIND.yaml` |
//! | `http://127.0.0.1:8751`, `--cloud real` | a simulator at another port, which knows the access key of `secret.yaml` |
//! | `trellis serve`, `trellis simulate` | the same, at a port that is free |
//! | `trellis apply`, `trellis destroy` | the same with `--yes`, because nobody answers, and ten times as fast |

use std::cell::{OnceCell, RefCell};
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;
use trellis_policies::source::read;

use super::command::Command;
use super::program::Program;
use super::root;

/// Where `trellis serve` and `trellis simulate` are unless an option says otherwise.
const PAGE: &str = "127.0.0.1:8750";
const SIMULATOR: &str = "127.0.0.1:8751";

/// Answers as a garden and a seed would.
const KUBECTL: &str = "#!/bin/sh\nexec cat \"$(dirname \"$0\")/../garden/$2.yaml\"\n";

/// A new folder.
pub struct Stage {
    folder: TempDir,
    simulator: OnceCell<(Program, String)>,
    /// `export` lines of the block up to now.
    exports: RefCell<String>,
    /// Variables that commands have besides.
    pub variables: Vec<(&'static str, String)>,
    /// What pages call something, and what it is here.
    pub names: Vec<(&'static str, String)>,
}

impl Stage {
    pub fn new() -> Self {
        let stage = Self {
            folder: TempDir::with_prefix_in("documents-", env!("CARGO_TARGET_TMPDIR")).unwrap(),
            simulator: OnceCell::new(),
            exports: RefCell::default(),
            variables: Vec::new(),
            names: Vec::new(),
        };
        stage.manifests();
        stage.objects();
        let policies = stage.programs();
        let sums = fs::read_to_string(policies.join("SHA256SUMS")).unwrap();
        let digest = sums.lines().find_map(|line| line.strip_suffix("  alicloud.wasm")).unwrap();
        Self { variables: vec![("DIGEST", digest.to_owned())], ..stage }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn manifests(&self) {
        for entry in fs::read_dir(root().join("examples")).unwrap() {
            let entry = entry.unwrap();
            if entry.path().is_dir() {
                continue;
            }
            let text = fs::read_to_string(entry.path()).unwrap();
            self.write(&format!("examples/{}", entry.file_name().display()), &text);
        }
        let example = |name: &str| fs::read_to_string(root().join("examples").join(name)).unwrap();
        let shoot = example("two-zones.yaml");
        for name in ["shoot.yaml", "shoot-live.yaml", "old.yaml", "garden/shoot.yaml"] {
            self.write(name, &shoot);
        }
        let gates =
            "      cloudControllerManager:\n        featureGates:\n          CustomResourceFieldSelectors: true\n";
        let edited = shoot
            .replace("ecs.g7.large", "ecs.g7.xlarge")
            .replace("      kind: ControlPlaneConfig\n", &format!("      kind: ControlPlaneConfig\n{gates}"));
        self.write("new.yaml", &edited);
        self.write("cloudprofile.yaml", &example("cloudprofile-regions.yaml"));
        self.write("secret.yaml", &example("secret.yaml"));
        self.write("manifests/one.yaml", &example("one-zone.yaml"));
        self.write("manifests/further/profile.yaml", &example("cloudprofile-regions.yaml"));
        let page = fs::read_to_string(root().join("docs/apply.md")).unwrap();
        for name in ["record.yaml", "bastion.yaml"] {
            let (_, shown) = page.split_once(&format!("```text\n# {name}\n")).unwrap();
            self.write(name, shown.split_once("```").unwrap().0);
        }
        symlink(root().join("core"), self.path("core")).unwrap();
    }

    /// The objects in a file.
    pub fn read(&self, file: &str) -> Vec<Value> {
        let (_, roots) = read(file, &fs::read(self.path(file)).unwrap()).unwrap();
        roots.iter().map(|root| serde_json::from_str(&root.to_json()).unwrap()).collect()
    }

    /// What a garden and a seed have of that Shoot.
    fn objects(&self) {
        let object = |file: &str| self.read(file).swap_remove(0);
        let (mut shoot, profile) = (object("shoot.yaml"), object("cloudprofile.yaml"));
        let fields = json!({ "properties": {
            "apiVersion": {}, "kind": {}, "metadata": {}, "spec": { "properties": shoot["spec"].clone() },
        } });
        let document = json!({ "components": { "schemas": { "gardener.core.v1beta1.Shoot": fields } } });
        self.write("garden.json", &document.to_string());

        let name = "shoot--dev--crazy";
        shoot["metadata"]["uid"] = json!("3b5c1b0e");
        shoot["status"] = json!({ "technicalID": name });
        let provider = &shoot["spec"]["provider"];
        let secret = json!({ "name": "core-alicloud", "namespace": "garden-dev" });
        let spec = json!({
            "type": "alicloud", "region": shoot["spec"]["region"],
            "providerConfig": provider["infrastructureConfig"], "secretRef": secret,
        });
        let of = |kind: &str, metadata: Value, spec: Value| {
            json!({ "apiVersion": "extensions.gardener.cloud/v1alpha1", "kind": kind, "metadata": metadata, "spec": spec })
                .to_string()
        };
        let infrastructure = of("Infrastructure", json!({ "name": "crazy", "namespace": name }), spec);
        self.write("garden/infrastructure.yaml", &infrastructure);
        let parts = json!({ "shoot": shoot, "cloudProfile": profile });
        self.write(
            "garden/clusters.extensions.gardener.cloud.yaml",
            &of("Cluster", json!({ "name": name }), parts),
        );
    }

    /// `bin/` has the programs; what `make build` makes is in `target/release` and next to the program.
    fn programs(&self) -> PathBuf {
        let built = Path::new(env!("CARGO_BIN_EXE_trellis"));
        // <target>/<profile>/trellis
        let policies = built.parent().unwrap().with_file_name("release").join("policies");
        assert!(policies.is_dir(), "{} is missing; `cargo xtask wasm --sandbox` makes it", policies.display());
        for folder in ["page/dist", "bin/page"] {
            self.write(&format!("{folder}/index.html"), "<!doctype html><title>Trellis</title>");
        }
        self.write("bin/kubectl", KUBECTL);
        fs::set_permissions(self.path("bin/kubectl"), fs::Permissions::from_mode(0o755)).unwrap();
        // A copy could still be open for writing in a child that another thread starts, and would not run.
        fs::hard_link(built, self.path("bin/trellis")).unwrap();
        symlink(&policies, self.path("bin/policies")).unwrap();
        symlink(&policies, self.path("policies")).unwrap();
        fs::create_dir(self.path("target")).unwrap();
        for profile in ["debug", "release"] {
            symlink(self.path("bin"), self.path("target").join(profile)).unwrap();
        }
        policies
    }

    /// A command in the folder, with standard error where standard output is, and an environment of its own.
    fn shell(&self, text: &str) -> std::process::Command {
        let mut command = std::process::Command::new("bash");
        command.args(["-euo", "pipefail", "-c", &format!("exec 2>&1\n{}{text}", self.exports.borrow())]);
        let path = std::env::var("PATH").unwrap();
        command.env_clear().env("PATH", format!("{}:{path}", self.path("bin").display()));
        command.env("HOME", self.folder.path()).env("TRELLIS_CACHE", cache()).envs(self.variables.iter().cloned());
        command.current_dir(self.folder.path());
        command
    }

    /// Runs a command of a page, and compares its end and what it prints with the page.
    pub fn run(&self, command: &Command, code: i32) -> Result<(), String> {
        let text = self
            .here(&command.text)
            .replace("trellis apply", "trellis apply --yes --clock 100")
            .replace("trellis destroy", "trellis destroy --yes --clock 100");
        let mut program = Program::start(self.shell(&text));
        let status = program.end().map_err(|why| format!("`{}`: {why}", command.text))?;
        let printed = self.there(&program.printed);
        if status.code() != Some(code) {
            return Err(format!(
                "`{}` ends with {status}, and not with {code}; it prints\n{printed}",
                command.text
            ));
        }
        if command.text.starts_with("export ") {
            *self.exports.borrow_mut() += &(text + "\n");
        }
        command.compare(&printed)
    }

    /// Starts a program of a page.
    pub fn start(&self, text: &str) -> Program {
        Program::start(self.shell(&format!("exec {}", self.here(text))))
    }

    /// Starts a program of a page that serves at an address, asks it, and sends Ctrl-C.
    pub fn serve(&self, command: &Command) -> Result<(), String> {
        let text = at_free_port(&command.text);
        let mut server = self.start(&text);
        let line = server.line(|line| line.starts_with("http"))?;
        answers(&line).map_err(|error| format!("`{}` does not answer at {line}: {error}", command.text))?;
        let printed = server.printed.clone();
        server.interrupt().map_err(|why| format!("`{}`: {why}", command.text))?;
        let address = line.trim_end_matches('/').rsplit('/').next().unwrap();
        let usual = if command.text.contains("trellis serve") { PAGE } else { SIMULATOR };
        command.compare(&printed.replace(address, usual))
    }

    /// A text of a page, with what stands in for what is not here.
    fn here(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (name, value) in &self.names {
            text = text.replace(name, value);
        }
        if text.contains(SIMULATOR) || text.contains("trellis plan") && text.contains("--cloud real") {
            let (_, address) = self.simulator.get_or_init(|| self.simulate());
            text = text.replace(SIMULATOR, address).replace("--cloud real", &format!("--cloud http://{address}"));
        }
        text
    }

    /// What is printed, as a page has it.
    fn there(&self, printed: &str) -> String {
        match self.simulator.get() {
            Some((_, address)) => printed.replace(address, SIMULATOR),
            None => printed.to_owned(),
        }
    }

    fn simulate(&self) -> (Program, String) {
        let key = json!({ "id": "example.key.id.that.opens.nothing", "secret": "example-key-secret-that-opens-nothing" });
        let accounts = json!({ "accounts": [{ "id": "1000000000000001", "accessKeys": [key] }] });
        self.write("accounts.json", &accounts.to_string());
        let mut server =
            Program::start(self.shell("exec trellis simulate --listen 127.0.0.1:0 --accounts accounts.json"));
        let line = server.line(|line| line.starts_with("http://")).unwrap();
        let address = line.trim_start_matches("http://").to_owned();
        (server, address)
    }
}

/// Compiled policies, for all commands of all runs.
fn cache() -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("documents-cache");
    fs::create_dir_all(&path).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).unwrap();
    path
}

/// The command of a server, at a port that is free unless the page names one.
fn at_free_port(text: &str) -> String {
    if text.contains("--listen") {
        return text.to_owned();
    }
    let free = "--listen 127.0.0.1:0";
    text.replacen("trellis serve", &format!("trellis serve {free}"), 1).replacen(
        "trellis simulate",
        &format!("trellis simulate {free}"),
        1,
    )
}

/// Whether a server answers a request; of one that speaks TLS, whether it takes a connection.
fn answers(url: &str) -> std::io::Result<()> {
    let (scheme, address) = url.trim_end_matches('/').split_once("://").unwrap();
    let mut stream = TcpStream::connect(address)?;
    if scheme == "http" {
        stream.write_all(format!("GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").as_bytes())?;
        let mut start = [0; 9];
        stream.read_exact(&mut start)?;
        assert_eq!(&start, b"HTTP/1.1 ");
    }
    Ok(())
}
