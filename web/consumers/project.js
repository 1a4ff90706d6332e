// Projects that consume the package as it is published, in folders of their own.

import { execFile, spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const WEB = fileURLToPath(new URL("../", import.meta.url));
const QUICK = ["--prefer-offline", "--no-audit", "--no-fund"];

/** Packs the package into a new folder; whoever asks removes it. */
export async function pack(source = WEB) {
  const folder = await mkdtemp(join(tmpdir(), "trellis-consumers-"));
  const remove = () => rm(folder, { recursive: true });
  try {
    const { stdout } = await npm(source, "pack", "--json", "--pack-destination", folder);
    const [{ filename, files, unpackedSize }] = JSON.parse(stdout);
    return { folder, tarball: join(folder, filename), files: files.map(({ path }) => path), unpackedSize, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/**
 * Copies a project, and installs the package and what else the project needs, in the versions of its lock file. `others` are
 * tarballs of other versions of the package, by the names that the project has for them.
 */
export async function install({ folder, tarball }, project, others = {}) {
  const path = join(folder, project);
  await cp(new URL(project, import.meta.url), path, { recursive: true });
  const aliases = Object.entries(others).map(([name, tarball]) => `${name}@file:${tarball}`);
  await npm(path, "install", "--no-save", ...QUICK, tarball, ...aliases);
  return path;
}

/**
 * Builds an installed project. If sources are named, they take the place of those that it was built of before, each as `edit` makes
 * it.
 */
export async function build(path, sources, edit = (code) => code) {
  if (sources !== undefined) {
    for (const old of ["src", "build", "dist", "node_modules/.vite"]) await rm(join(path, old), { recursive: true, force: true });
    await mkdir(join(path, "src"));
    for (const file of await readdir(new URL(sources, import.meta.url))) {
      await writeFile(join(path, "src", file), edit(await readFile(new URL(`${sources}/${file}`, import.meta.url), "utf8")));
    }
  }
  await npm(path, "run", "build");
}

/** Starts Vite's development server, which may take some milliseconds; whoever starts it ends it. */
export async function develop(path, patience = 60_000) {
  const vite = join(path, "node_modules/vite/bin/vite.js");
  const server = spawn(process.execPath, [vite, "--host", "127.0.0.1"], {
    cwd: path,
    env: { ...process.env, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const deadline = setTimeout(() => server.kill(), patience);
  for await (const line of createInterface({ input: server.stdout })) {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (url === undefined) continue;
    clearTimeout(deadline);
    return { url, close: () => server.kill() };
  }
  clearTimeout(deadline);
  throw new Error("Vite's development server does not start");
}

/** Runs a program of a project in Node, and returns what it prints. */
export async function runProgram(path, code) {
  const file = join(path, "program.js");
  await writeFile(file, code);
  const { stdout } = await run(process.execPath, [file], { cwd: path });
  return stdout;
}

/** Runs npm in a folder as if no other npm had started this. */
export async function npm(folder, ...args) {
  const outer = /^npm_(config_(workspace|local_prefix)|package_|lifecycle_)/;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !outer.test(name)));
  return run("npm", args, { cwd: folder, env, maxBuffer: 1 << 26 }).catch((error) => {
    throw new Error(`npm ${args.join(" ")} failed in ${folder}\n${error.stdout}\n${error.stderr}`);
  });
}
