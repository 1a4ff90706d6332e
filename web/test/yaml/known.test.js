// A text in which one document changes is read like one that is new, and the other documents are not read again.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { Composer } from "yaml";
import { editAll } from "../../dist/yaml/edit.js";
import { Known } from "../../dist/yaml/known.js";
import { read } from "../../dist/yaml/read.js";

const EXAMPLES = new URL("../../../examples/", import.meta.url);
const examples = readdirSync(EXAMPLES).filter((name) => name.endsWith(".yaml")).map((name) => readFileSync(new URL(name, EXAMPLES), "utf8"));

/** How many documents are composed while something runs, and what it gives. */
function composed(run) {
  const { compose } = Composer.prototype;
  let count = 0;
  Composer.prototype.compose = function* (...given) {
    for (const document of compose.apply(this, given)) {
      count += 1;
      yield document;
    }
  };
  try {
    return { found: run(), count };
  } finally {
    Composer.prototype.compose = compose;
  }
}

test("what is known is the same as what is read", () => {
  const known = new Known();
  const text = examples.join("---\n");
  read(text, known);
  for (const changed of [text, `# note\n${text}`, text.replace("kind: Shoot", "kind: Shoot # note"), `a: 1\n---\n${text}`, text.slice(500)]) {
    assert.deepEqual(read(changed, known), read(changed));
  }
});

test("only the document that changes is read", () => {
  const known = new Known();
  const document = (index) => `kind: Thing\nname: thing-${index}\nlist:\n- a: &a {b: 1}\n- *a\ntext: |\n  some\n`;
  const text = Array.from({ length: 20 }, (_, index) => document(index)).join("---\n");
  assert.equal(composed(() => read(text, known)).count, 20);
  const changed = text.replace("thing-3", "another");
  const { found, count } = composed(() => read(changed, known));
  assert.equal(count, 1);
  assert.deepEqual(found, read(changed));
  const patches = new Map([[7, [{ op: "add", path: "/more", value: 1 }]]]);
  const edited = composed(() => editAll(changed, found, patches, known));
  assert.equal(edited.count, 1);
  assert.deepEqual(edited.found, editAll(changed, found, patches));
});

test("an alias keeps what is inside its anchor where that stands", () => {
  const known = new Known();
  const text = "---\na: &a\n  b: [1, {c: 2}]\nd: *a\n";
  read(`x: 1\n${text}`, known);
  assert.deepEqual(read(`x: long\n${text}`, known), read(`x: long\n${text}`));
});

test("a problem names the line of the text as it is", () => {
  const known = new Known();
  const twice = "---\na: 1\na: 2\n";
  const messages = (text) => read(text, known).flatMap(({ problems }) => problems.map(({ message }) => message));
  const [first] = messages(`x: 1\n${twice}`);
  const [second] = messages(`x: 1\ny: 2\n${twice}`);
  assert.match(first, /line 3/);
  assert.match(second, /line 4/);
});

test("directives and ends are about more than one document, and comments belong to the next", () => {
  for (const text of ["%YAML 1.2\n---\na: 1\n---\nb: 2\n", "a: 1\n...\n---\nb: 2\n", "# note\n---\na: 1\n---\n# note\n---\nb: 2\n", "---\n---\n", "a: |\n  x\n---\nb: 'c\n---\nd: 1\n"]) {
    const known = new Known();
    read(text, known);
    assert.deepEqual(read(text, known), read(text), text);
  }
  assert.deepEqual(read("# note\n---\na: 1\n").map(({ from, to }) => [from, to]), read("# note\n---\na: 1\n", new Known()).map(({ from, to }) => [from, to]));
});

test("the limits hold for all documents together", () => {
  const known = new Known();
  const many = (count) => Array.from({ length: count }, (_, index) => `list${index}: [${"1,".repeat(9000)}1]\n`).join("---\n");
  const problems = (text) => read(text, known).flatMap(({ problems }) => problems);
  assert.deepEqual(problems(many(5)), []);
  assert.equal(problems(many(6)).length, 1);
  assert.equal(problems(many(6)).length, 1);
});
