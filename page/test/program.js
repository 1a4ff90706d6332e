// The program that serves the page, as people start it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createInterface } from "node:readline";

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

/** `TRELLIS` names the program; else it is the one of the last `cargo build`. */
const PROGRAM = process.env.TRELLIS ?? path("../../target/debug/trellis");

/** Starts `trellis serve` on a free port; the caller stops it. */
export async function startServer() {
  const program = spawn(PROGRAM, ["serve", "--listen", "127.0.0.1:0", "--page", path("../dist")], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  program.stderr.on("data", (data) => (said += data));
  const failed = once(program, "exit").then(([code]) => {
    throw new Error(`trellis serve ended with ${code}: ${said}`);
  });
  failed.catch(() => {});
  const lines = createInterface({ input: program.stdout });
  const [url] = await Promise.race([once(lines, "line"), failed]);
  return {
    url,
    async stop() {
      if (program.exitCode !== null) return;
      program.kill("SIGTERM");
      await once(program, "exit");
    },
  };
}
