// The Chromium of this machine, for tests and measurements.
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

/** Where distributions put it; `CHROMIUM` names another. */
const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Starts a browser with a fresh profile; whoever starts it closes it. */
export async function launch() {
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
  ];
  // Chromium's own sandbox needs an ordinary user.
  if (process.getuid?.() === 0) args.push("--no-sandbox");
  return chromium.launch({ executablePath, args, headless: true });
}
