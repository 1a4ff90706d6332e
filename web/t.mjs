import { load } from "trellis-policy"; import { startWorker } from "trellis-policy/worker"; import {schemas} from "trellis-policy/schema";
const p = await load({provider:"alicloud"}); console.log(p.info().provider, p.validate({object:1n}), p.validate(undefined));
const w = await startWorker({provider:"alicloud"}); console.log((await w.info()).version); console.log(Object.keys(await schemas("alicloud")));
await load({provider:"aws"}).catch(e=>console.log(String(e)));
