/** The code of a checker's worker in Node. */

import { parentPort } from "node:worker_threads";
import { serve } from "./checker/serve.js";
import { load, loadAddresses, loadGardener, loadInfrastructure, loadRendering } from "./policies.js";

const handle = serve({ load, loadAddresses, loadGardener, loadInfrastructure, loadRendering }, (message) => parentPort?.postMessage(message));
parentPort?.on("message", (message) => void handle(message));
