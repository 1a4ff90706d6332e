/** The code of a checker's worker in a browser. */

import { serve } from "./checker/serve.js";
import { load, loadInfrastructure } from "./index.js";

const handle = serve(load, (message) => self.postMessage(message), loadInfrastructure);
self.addEventListener("message", (event) => void handle(event.data));
