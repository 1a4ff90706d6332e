// A web server on loopback that serves files as a strict dashboard would.
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

/** Lets modules of WebAssembly be compiled, but no text be run as a script. The README promises that it is enough. */
const CONTENT_SECURITY_POLICY =
  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'";

/** What an editor needs besides: CodeMirror adds its styles while it runs. */
const EDITOR_STYLES = "style-src 'self' 'unsafe-inline'";

const TYPES = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".wasm": "application/wasm",
};

/**
 * Serves the folders, by the path they are found under, whose pages may have editors; `/` alone is an empty page
 * without. Whoever starts it closes it.
 */
export async function serve(folders) {
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
    const folder = Object.keys(folders).find((prefix) => path.startsWith(prefix));
    const policy = folder === undefined ? CONTENT_SECURITY_POLICY : `${CONTENT_SECURITY_POLICY}; ${EDITOR_STYLES}`;
    response.setHeader("Content-Security-Policy", policy);
    if (folder === undefined) {
      response.writeHead(path === "/" ? 200 : 404, { "Content-Type": TYPES[".html"] });
      return response.end("<!doctype html><title>empty</title>");
    }
    let file = join(folders[folder], path.slice(folder.length));
    if (await isFolder(file)) file = join(file, "index.html");
    const body = createReadStream(file);
    body.on("error", () => response.writeHead(404).end());
    body.on("open", () => {
      response.writeHead(200, { "Content-Type": TYPES[extname(file)] ?? "application/octet-stream" });
      body.pipe(response);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

async function isFolder(path) {
  return stat(path).then((found) => found.isDirectory(), () => false);
}
