// The Chromium of this machine, for tests and measurements.
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

/** Where distributions put it; `CHROMIUM` names another. */
const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Milliseconds after which tests give up what they wait for: much more than it takes where others are at work, too. */
export const PATIENCE = 120_000;

/**
 * A browser with a fresh profile; whoever asks closes it. It is one of its own, unless `TEST_BROWSER` has the address of one that
 * several processes share: each sees its own contexts alone, and closes nothing else.
 */
export async function launch() {
  const shared = process.env.TEST_BROWSER;
  return shared === undefined ? chromium.launch(options()) : chromium.connect(shared);
}

/** Starts a browser for the `TEST_BROWSER` of several processes; whoever starts it closes it. */
export async function share() {
  const server = await chromium.launchServer({ ...options(), host: "127.0.0.1", handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false });
  return { address: server.wsEndpoint(), close: () => server.close() };
}

function options() {
  const executablePath = process.env.CHROMIUM ?? PLACES.find((place) => existsSync(place));
  if (executablePath === undefined) {
    throw new Error("Chromium is missing. On Debian: apt-get install chromium; elsewhere set CHROMIUM to its path.");
  }
  const args = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    // Pages of a context and an origin share a process: another one takes longer to begin than most tests.
    "--process-per-site",
  ];
  // Chromium's own sandbox needs an ordinary user.
  if (process.getuid?.() === 0) args.push("--no-sandbox");
  return { executablePath, args, headless: true };
}
