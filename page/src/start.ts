/** What runs before the page. It is small, so that the worker starts while the browser reads the page's own code. */

import { begin } from "./state/early.js";

void begin();
