// Asks a worker once and leaves it open.

import { startWorker } from "trellis-policy/worker";

const worker = await startWorker({ provider: "alicloud" });
console.log((await worker.info()).provider);
