// The code of a policy's worker in a page, which reports each call before it makes it.
import "./page-telling.js";
import "/dist/worker-thread.js";
