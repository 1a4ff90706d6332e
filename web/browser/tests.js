// Runs files of tests, two at a time, with one browser for all of them.
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { share } from "./chromium.js";

/**
 * Runs the files. `prepare` gives variables of the environment for them, and `end`, which is called whatever happens. The process
 * fails where a test fails.
 */
export async function runTests(files, prepare = () => ({ variables: {}, end() {} })) {
  const stopped = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => stopped.abort());
  const ends = [];
  try {
    const browser = await share();
    ends.push(browser.close);
    const { variables, end } = await prepare();
    ends.push(end);
    Object.assign(process.env, variables, { TEST_BROWSER: browser.address });
    const tests = run({ files, concurrency: 2, signal: stopped.signal });
    tests.on("test:fail", () => (process.exitCode = 1));
    for await (const text of tests.compose(new spec())) process.stdout.write(text);
  } finally {
    for (const end of ends.reverse()) await end();
  }
}
