// The package as others get it: packed, installed in fresh projects, type-checked, built and run.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { classified, modules, mutated, plannedFurther, providers, rendered } from "trellis-policy";
import { launch } from "../browser/chromium.js";
import { serve } from "../browser/server.js";
import { OLDER, VERSION, writeOlder } from "../test/versions/older.js";
import { build, develop, install, npm, pack } from "./project.js";

let packed;
let older;
let browser;
/** Where the projects of bundlers are installed, which have two versions of the package. */
const bundlers = {};
before(async () => {
  browser = await launch();
  packed = await pack();
  older = await packOlder();
  for (const name of ["vite", "webpack"]) bundlers[name] = await install(packed, name, { "trellis-policy-older": older.tarball });
});
after(async () => {
  await browser?.close();
  await older?.remove();
  await packed?.remove();
});

test("the package holds what it exports, each module once, and nothing else", async () => {
  const belongs = /^(dist\/.+\.(js|d\.ts|wasm)|dist\/policies\/\w+\.rules\.json|dist\/vue\/style\.css|schemas\/.+\.json|package\.json|README\.md|LICENSE|THIRD-PARTY\.md)$/;
  for (const file of ["LICENSE", "THIRD-PARTY.md"]) assert.ok(packed.files.includes(file), file);
  assert.deepEqual(packed.files.filter((file) => !belongs.test(file)), []);
  const modules = packed.files.filter((file) => file.endsWith(".wasm")).sort();
  const names = [
    "gardener",
    ...providers.flatMap((provider) => [provider, `${provider}-addresses`]),
    ...classified.map((provider) => `${provider}-infrastructure`),
    ...rendered.map((provider) => `${provider}-rendering`),
    ...mutated.map((provider) => `${provider}-mutations`),
    ...plannedFurther.map((provider) => `${provider}-plans`),
  ];
  assert.deepEqual(modules, names.map((name) => `dist/policies/${name}_bg.wasm`).sort());
  const { messages, pkg } = await publint({ pack: { tarball: await readFile(packed.tarball) }, strict: true });
  assert.deepEqual(messages.map((message) => formatMessage(message, pkg)), []);
  assert.ok(!("private" in pkg), "it can be published");
  for (const script of ["preinstall", "install", "postinstall", "prepare"]) assert.ok(!(script in pkg.scripts), script);
});

test("what the README shows is what the pages run", async () => {
  const read = (file) => readFile(new URL(file, import.meta.url), "utf8");
  const text = await read("../README.md");
  const shown = ["app/dashboard.ts", "one/complaints.ts", "versions/predict.ts", "app/review.ts", "app/reviewing.ts", "app/part.ts", "app/workers.ts", "node/src/answer.ts", "node/src/form.ts", "node/src/manifests.ts", "node/src/nodes.ts", "node/src/plan.ts", "vue/src/Network.vue"];
  for (const file of shown) {
    const language = file.slice(file.lastIndexOf(".") + 1);
    assert.ok(text.includes(`\`\`\`${language}\n${await read(file)}\`\`\``), `README.md shows something else than ${file}`);
  }
});

test("it runs in Node, type-checked without the types of browsers", async () => {
  const path = await install(packed, "node");
  await build(path);
  const { stdout } = await npm(path, "--silent", "start");
  assert.deepEqual(JSON.parse(stdout), {
    verdict: "accept",
    fromWorker: "accept",
    fromChecker: "accept",
    fromBytes: "equinixmetal",
    isPartial: true,
    form: { isFine: false, region: 1, other: "ironcore's rules" },
    live: [1, 0],
    left: { type: ["object", "null"] },
    kinds: ["BackupBucketConfig", "CloudProfileConfig", "ControlPlaneConfig", "InfrastructureConfig"],
    planned: ["SNAT entry", "VPC", "VSwitch"],
    rendered: 4,
    restarts: ["Deployment cloud-controller-manager"],
    nodes: ["1 node of pool `cpu` rolls, 1 at a time, because `machine.type` changes"],
    machines: ["changed MachineClass"],
    imported: [
      "LoadError",
      "check",
      "classified",
      "detailOf",
      "infrastructures",
      "isProvider",
      "load",
      "loadAddresses",
      "loadGardener",
      "loadInfrastructure",
      "loadRendering",
      "modules",
      "mutated",
      "offeredSpec",
      "openapiNames",
      "placeOf",
      "plannedFurther",
      "promptOf",
      "providers",
      "rendered",
      "sentenceOf",
    ],
  });
});

test("it runs in a page that Vite built, under a strict Content-Security-Policy", async () => {
  await build(bundlers.vite, "app");
  await visitBuilt(`${bundlers.vite}/dist`);
  const development = await develop(bundlers.vite);
  try {
    await letOptimise(development.url);
    await visit(development.url);
  } finally {
    development.close();
  }
});

test("a page that Vite built of the package that only judges does the same, with the name exchanged and nothing else", async () => {
  const judging = await pack(fileURLToPath(new URL("../judging/", import.meta.url)));
  try {
    assert.ok(2 * judging.unpackedSize < packed.unpackedSize, "it needs less than half the space");
    const path = await install(judging, "vite");
    await build(path, "app", (code) => code.replaceAll('"trellis-policy', '"trellis-policy-judging'));
    await visitBuilt(`${path}/dist`);
    // With the README's settings, the server has found everything before the page asks for it.
    const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
    const [settings] = /(?<=```ts\n)import \{ defineConfig \}[^]*?(?=```)/.exec(readme);
    await writeFile(join(path, "vite.config.js"), settings.replace('"trellis-policy"', '"trellis-policy-judging"'));
    const development = await develop(path);
    try {
      await visit(development.url);
    } finally {
      development.close();
    }
  } finally {
    await judging.remove();
  }
});

test("it runs in a page that webpack built, under a strict Content-Security-Policy", async () => {
  await build(bundlers.webpack, "app");
  await visitBuilt(bundlers.webpack);
});

for (const bundler of ["vite", "webpack"]) {
  test(`a page that ${bundler} built of one provider's entry point holds that one module`, async () => {
    const path = bundlers[bundler];
    await build(path, "one");
    const folder = join(path, "dist");
    const files = await readdir(folder, { recursive: true });
    const [module, ...others] = files.filter((file) => file.endsWith(".wasm"));
    assert.deepEqual(others, []);
    const hash = createHash("sha384").update(await readFile(join(folder, module))).digest("base64");
    assert.equal(`sha384-${hash}`, modules.alicloud.integrity);
    // Vite writes the page next to its code, and that of webpack lies above the code.
    const server = await serve({ "/": files.includes("index.html") ? folder : path });
    const page = await browser.newPage();
    try {
      await page.goto(server.url);
      const [complaint] = await page.evaluate(() => window.report);
      assert.match(complaint, /^networks\.zones\[0\]\.workers: must be valid canonical CIDR\. Write/);
    } finally {
      await page.close();
      server.close();
    }
  });
}

for (const bundler of ["vite", "webpack"]) {
  test(`a page that ${bundler} built with two versions asks the one that admission runs`, async () => {
    const path = bundlers[bundler];
    await build(path, "versions");
    const folder = join(path, "dist");
    const files = await readdir(folder, { recursive: true });
    assert.equal(files.filter((file) => file.endsWith(".wasm")).length, 2 * Object.keys(modules).length);
    const server = await serve({ "/": files.includes("index.html") ? folder : path });
    try {
      await compare(server.url);
    } finally {
      server.close();
    }
    if (bundler !== "vite") return;
    const development = await develop(path);
    try {
      await compare(development.url);
    } finally {
      development.close();
    }
  });
}

test("an application without Vuetify and CodeMirror shows the components", async () => {
  const path = await install(packed, "vue");
  await build(path);
  const server = await serve({ "/": `${path}/dist` });
  const page = await browser.newPage();
  try {
    const errors = [];
    page.on("pageerror", ({ message }) => errors.push(message));
    page.on("console", (message) => {
      if (message.type() === "error" && !message.text().includes("404")) errors.push(message.text());
    });
    await page.goto(server.url);
    await page.getByRole("button", { name: /^Pods, 10\.250\.192\.0\/18/ }).click();
    await page.getByRole("button", { name: "spec.networking.pods" }).click();
    assert.equal(await page.locator("output").innerText(), "/spec/networking/pods /spec/networking/pods");
    assert.equal(await page.getByRole("heading", { name: "Checked by this page" }).count(), 1);
    const { width } = await page.locator(".trellis-clash").boundingBox();
    assert.ok(width > 100, "it has styles");
    assert.deepEqual(errors, []);
  } finally {
    await page.close();
    server.close();
  }
});

/** Packs the older version of the package; who asks removes it. */
async function packOlder() {
  const folder = await mkdtemp(join(tmpdir(), "trellis-older-"));
  try {
    await writeOlder(join(folder, "package"));
    return await pack(join(folder, "package"));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Opens the page with two versions and judges its report. */
async function compare(url) {
  const page = await browser.newPage();
  try {
    const errors = [];
    page.on("pageerror", ({ message }) => errors.push(message));
    await page.goto(url);
    await page.waitForFunction(() => "report" in window);
    const report = await page.evaluate(() => window.report);
    // A package that was built along with the files of hosts names them.
    const { answers, predicted, refused, violations } = JSON.parse(JSON.stringify(report).replace(/ \(file [0-9a-f]{12}…\)/g, ""));
    const versions = [VERSION, OLDER];
    assert.deepEqual(answers, Object.fromEntries(versions.map((version) => [version, [version, version, "ALI-INF-003", "reject"]])));
    const at = "networks.zones[0].workers";
    const difference = `Admission judges with version 7.0.0 of the policy of alicloud. This is version ${VERSION}, which may answer otherwise.`;
    assert.deepEqual(predicted, [[`${at}: this would be refused`], [difference, `${at}: this would be a warning`]]);
    assert.match(refused, new RegExp(`^LoadError: Admission judges with version 7.0.0 .*; there is version ${versions.join(", version ")}\\.`));
    assert.deepEqual([...errors, ...violations], []);
  } finally {
    await page.close();
  }
}

async function visitBuilt(folder) {
  const server = await serve({ "/": folder });
  try {
    const response = await visit(server.url);
    const policy = response.headers()["content-security-policy"];
    assert.match(policy, /script-src 'self' 'wasm-unsafe-eval';/);
    assert.match(policy, /worker-src 'self';/);
  } finally {
    server.close();
  }
}

/**
 * Opens the page until Vite has prepared the dependencies that it finds on the way. Those of workers are found last: Vite reloads
 * the page while it is at work, or answers its worker with code that is no longer there, of which the page says that it failed.
 */
async function letOptimise(url) {
  const page = await browser.newPage();
  let ended = "badly";
  for (let tries = 0; tries < 10 && ended !== "well"; tries += 1) {
    // A page that is reloaded while it loads may not come to its end; `visit` judges one that has.
    if (ended === "badly") await page.goto(url).catch(() => undefined);
    const isThere = await page.waitForFunction(() => "report" in window).then(() => true, () => false);
    const report = () => page.evaluate(() => window.report.then(() => "well", () => "badly")).catch(() => "not");
    ended = isThere ? await report() : "badly";
  }
  await page.close();
}

/** Opens the page, judges its report and returns the response that it came with. */
async function visit(url) {
  const page = await browser.newPage();
  try {
    const errors = [];
    page.on("pageerror", ({ message }) => errors.push(message));
    const response = await page.goto(url);
    await page.waitForFunction(() => "report" in window);
    const { blockedTurns, freeTurns, ...report } = await page.evaluate(() => window.report);
    assert.deepEqual(errors, []);
    assert.deepEqual(report, {
      providers,
      verdict: "reject",
      rules: ["ALI-INF-003"],
      underlined: '"10.250.0.1/19"',
      fixed: "10.250.0.0/19",
      fromWorker: true,
      fromOwnWorker: true,
      defaulted: true,
      grafted: "InfrastructureConfig",
      marked: '"10.250.0.1/19"',
      permitted: { wrong: false, right: true },
      inPart: '"10.250.0.1/19"',
      reviewed: ["ALI-INF-003"],
      reviewedByOwn: true,
      unknown: true,
      violations: [],
      largeVerdict: "reject",
    });
    assert.equal(blockedTurns, 0, "a synchronous call blocks the page");
    assert.ok(freeTurns > 0, "a worker leaves the page free");
    return response;
  } finally {
    await page.close();
  }
}
