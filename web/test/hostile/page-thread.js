// The code of a policy's worker in a page, which tells of each call before it makes it.
import "./page-telling.js";
import "/dist/worker-thread.js";
