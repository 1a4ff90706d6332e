/** The code of a worker of Node. */

import { parentPort } from "node:worker_threads";
import { serve } from "./worker/serve.js";

const handle = serve((message) => parentPort?.postMessage(message));
parentPort?.on("message", (message) => handle(message));
