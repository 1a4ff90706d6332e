// Reports each call that a policy's worker in a page is asked for. What makes the call is imported later, so that it listens later.
import { notify } from "./calls.js";

self.addEventListener("message", ({ data: { call } }) => call && notify(call.name));
