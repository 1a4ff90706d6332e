// A checker's worker in Node whose policies misbehave as the name of the object asks for, and that cannot load the
// policy of `equinixmetal` at first.
import { getEnvironmentData, parentPort } from "node:worker_threads";
import { LoadError, load } from "trellis-policy";
import { serve } from "../../dist/checker/serve.js";
import { notify } from "../hostile/calls.js";

// The time that this takes is not that of a check.
parentPort.postMessage({ isLoading: true });
const policy = await load({ provider: "alicloud" });
const hostile = await load({ provider: "equinixmetal", module: getEnvironmentData("hostile module") });
const misbehave = {
  trap: () => JSON.parse(hostile.call("trap", "{}")),
  nonsense: () => hostile.default({ object: {} }),
  loop: () => (notify("loop"), hostile.call("loop", "{}")),
  die: () => process.exit(3),
  throw: (request) => {
    throw new Error(`cannot judge ${request}`);
  },
};
const validate = (request) => {
  const name = /"name":"(\w+)"/.exec(request)?.[1];
  return Object.hasOwn(misbehave, name) ? misbehave[name](request) : policy.validate(request);
};

let loads = 0;
const loaders = {
  loadGardener: () => Promise.reject(new LoadError("it is not here")),
  async load({ provider }) {
    loads += 1;
    if (provider === "equinixmetal" && loads < 3) throw new LoadError("policy.wasm was answered with status 404");
    return { ...policy, validate };
  },
};
const handle = serve(loaders, (message) => parentPort.postMessage(message));
parentPort.postMessage({ isLoading: false });
parentPort.on("message", handle);
