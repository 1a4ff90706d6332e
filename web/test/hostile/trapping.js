import binaryen from "binaryen";
import { readFile } from "node:fs/promises";

const POLICY = new URL("../../dist/policies/alicloud_bg.wasm", import.meta.url);

/** The bytes of a policy each of whose instances traps when it is called for the `nth` time. */
export async function trappingModule(nth) {
  const module = binaryen.readBinary(new Uint8Array(await readFile(POLICY)));
  module.setFeatures(binaryen.Features.All);
  module.addGlobal("calls", binaryen.i32, true, module.i32.const(0));
  const calls = () => module.global.get("calls", binaryen.i32);
  const { value } = binaryen.getExportInfo(module.getExport("call"));
  const { params, results, vars, body } = binaryen.getFunctionInfo(module.getFunction(value));
  module.removeFunction(value);
  const count = module.global.set("calls", module.i32.add(calls(), module.i32.const(1)));
  const trap = module.if(module.i32.eq(calls(), module.i32.const(nth)), module.unreachable());
  const counted = module.block(null, [count, trap, body], results);
  module.addFunction(value, params, results, vars, counted);
  if (!module.validate()) throw new Error("the trapping policy is not valid");
  const bytes = module.emitBinary();
  module.dispose();
  return bytes;
}
