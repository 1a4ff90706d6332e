// Asks a worker once, with the time limit that it is given, and leaves the worker open.

import { startWorker } from "trellis-policy/worker";

const worker = await startWorker({ provider: "alicloud", timeout: Number(process.argv[2]) });
console.log((await worker.info()).provider);
