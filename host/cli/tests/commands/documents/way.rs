//! What becomes of a block, and of each of its commands.

use super::block::{Block, Note};
use super::command::{Command, commands};
use super::names::Names;
use super::stage::Stage;

/// Tests that run the programs of a page: the page, the language of the blocks, and the file of the test, which
/// reads the page.
const ELSEWHERE: [(&str, &str, &str); 6] = [
    ("docs/how-to/dashboard.md", "js", "examples/dashboard/test/how-to.test.js"),
    ("docs/how-to/dashboard.md", "vue", "examples/dashboard/test/how-to.test.js"),
    ("docs/host.md", "rust", "tests/tests/host.rs"),
    ("docs/simulator.md", "python", "tests/sdk/test_docs.py"),
    ("web/README.md", "ts", "web/test/readme.test.js"),
    ("web/README.md", "vue", "web/consumers/consumers.test.js"),
];

/// What becomes of a command.
pub enum Way {
    /// It runs, and ends with this code.
    Run(Command, i32),
    /// It serves until Ctrl-C.
    Serve(Command),
    /// The same, where there is a garden.
    RunInGarden(Command, i32),
    ServeInGarden(Command),
    /// It starts the landscape.
    Landscape(Command),
    /// Lines for the landscape or for `gardenlet-driver`, and answers.
    Lines(Vec<String>),
    /// What it names is there, and CI runs it.
    Named,
}

impl Way {
    /// Whether it runs without a garden.
    pub fn is_without_garden(&self) -> bool {
        matches!(self, Self::Run(..) | Self::Serve(_))
    }

    /// Runs what runs without a garden.
    pub fn run(&self, stage: &Stage) -> Result<(), String> {
        match self {
            Self::Run(command, code) => stage.run(command, *code),
            Self::Serve(command) => stage.serve(command),
            _ => Ok(()),
        }
    }
}

/// What becomes of the commands of a block, or what is wrong with the block.
pub fn ways(block: &Block, names: &Names) -> Result<Vec<Way>, String> {
    let code = match &block.note {
        Note::NotRun { reason, nearest } if reason.is_empty() || nearest.is_empty() => {
            return Err("write the mark as `<!-- not run: REASON; nearest test: NAME OF A TEST -->`".to_owned());
        }
        Note::NotRun { .. } => return Ok(Vec::new()),
        Note::Exits(code) => *code,
        Note::None => 0,
    };
    match block.language.as_str() {
        "console" => commands(block)?.into_iter().map(|command| way(command, code, names)).collect(),
        "json" if block.lines.iter().any(|line| line.contains("\"command\":")) => {
            Ok(vec![Way::Lines(block.lines.clone())])
        }
        "text" if block.lines.iter().any(|line| line.starts_with("$ ")) => {
            Err("the fence of a block with commands is `console`, and not `text`".to_owned())
        }
        "json" | "text" => Ok(Vec::new()),
        "" => Err("the fence names no language: `console` for commands, `text` for what is only shown".to_owned()),
        language => elsewhere(&block.page, language, names),
    }
}

fn elsewhere(page: &str, language: &str, names: &Names) -> Result<Vec<Way>, String> {
    let Some((.., test)) = ELSEWHERE.iter().find(|(of, with, _)| (*of, *with) == (page, language)) else {
        return Err(format!(
            "no test runs blocks in `{language}` of this page. Write commands as `console`, a line `$ …` each; where another test \
             runs the block, name that test in `ELSEWHERE` of host/cli/tests/commands/documents/way.rs; where nothing can, mark the block"
        ));
    };
    let name = page.rsplit('/').next().unwrap_or(page);
    if names.has(test, name) {
        Ok(Vec::new())
    } else {
        Err(format!("{test} should run this block, and does not name {name}"))
    }
}

fn way(command: Command, code: i32, names: &Names) -> Result<Way, String> {
    let programs = ["make", "cargo", "npm", "go"];
    let words: Vec<&str> = command.text.split_whitespace().collect();
    let program = |part: &str| part.split_whitespace().find(|word| !word.contains('=')).map(str::to_owned);
    if command.text.split(" && ").filter_map(program).any(|program| programs.contains(&program.as_str())) {
        return names.check(&command.text).map(|()| Way::Named);
    }
    Ok(match words.as_slice() {
        ["trellis", "serve" | "simulate", ..] => Way::Serve(command),
        ["trellis", "run" | "admission", ..] => Way::ServeInGarden(command),
        ["trellis", "scan", ..] => Way::RunInGarden(command, code),
        ["target/landscape/landscape", "start", ..] => Way::Landscape(command),
        _ => Way::Run(command, code),
    })
}

#[test]
fn a_block_that_nothing_runs_says_what_to_do() {
    let names = Names::read(&super::root());
    let reported = |page: &str, text: &str| {
        let blocks = super::block::of_page(page, text);
        ways(&blocks[0], &names).err().unwrap_or_default()
    };
    for (text, message) in [
        ("```\nls\n```", "the fence names no language"),
        ("```sh\nls\n```", "Write commands as `console`"),
        ("```python\nprint(1)\n```", "no test runs blocks in `python` of this page"),
        ("```text\n$ ls\n```", "the fence of a block with commands is `console`"),
        ("```console\nls\n```", "starts with a command"),
        ("```console\n```", "has no command"),
        ("```console\n$ make nothing\n```", "no target `nothing`"),
        ("```console\n$ make bench\n```", "`.ci/run` does not make `bench`"),
        ("```console\n$ make test && npm pack\n```", "CI does not run `npm pack`"),
        ("```console\n$ A=1 cargo test --workspace --test nothing\n```", "the workspace has no `--test nothing`"),
        ("```console\n$ cargo test -p nothing\n```", "the workspace has no `-p nothing`"),
        ("```console\n$ cargo test --workspace figures -- --ignored\n```", "CI does not run `cargo test"),
        ("<!-- not run: it is far -->\n```console\n$ far\n```", "write the mark as"),
    ] {
        let found = reported("docs/other.md", text);
        assert!(found.contains(message), "{text}: {found}");
    }
    for text in [
        "```text\nls\n```",
        "```console\n$ make test && make verify\n```",
        "```console\n$ ls # the folder\nfile\n```",
        "```console\n$ A=1 cargo test --workspace --test commands # here\n```",
        "<!-- not run: it is far; nearest test: near -->\n```console\n$ make bench\n```",
    ] {
        assert_eq!(reported("docs/other.md", text), "");
    }
    assert_eq!(reported("docs/simulator.md", "```python\nprint(1)\n```"), "");
}
