/** The code of a checker's worker in Node. */

import { parentPort } from "node:worker_threads";
import { serve } from "./checker/serve.js";
import { load, loadInfrastructure } from "./index-node.js";

const handle = serve(load, (message) => parentPort?.postMessage(message), loadInfrastructure);
parentPort?.on("message", (message) => void handle(message));
