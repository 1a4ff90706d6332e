// Reports each call that a policy's worker in Node is asked for. What makes the call is imported later, so that it listens later.
import { parentPort } from "node:worker_threads";
import { notify } from "./calls.js";

parentPort.on("message", ({ call }) => call && notify(call.name));
