/** The code of a checker's worker in a browser. */

import { serve } from "./checker/serve.js";
import { load, loadAddresses, loadGardener, loadInfrastructure, loadRendering } from "./policies.js";

const handle = serve({ load, loadAddresses, loadGardener, loadInfrastructure, loadRendering }, (message) => self.postMessage(message));
self.addEventListener("message", (event) => void handle(event.data));
