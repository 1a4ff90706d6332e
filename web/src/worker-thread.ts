/** The code of a browser's worker. */

import { serve } from "./worker/serve.js";

const handle = serve((message) => self.postMessage(message));
self.addEventListener("message", (event) => handle(event.data));
