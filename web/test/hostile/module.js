import binaryen from "binaryen";
import { readFile } from "node:fs/promises";

/** The bytes of `policy.wat`. */
export async function hostileModule() {
  const module = binaryen.parseText(await readFile(new URL("policy.wat", import.meta.url), "utf8"));
  module.setFeatures(binaryen.Features.All);
  if (!module.validate()) throw new Error("policy.wat is not valid");
  const bytes = module.emitBinary();
  module.dispose();
  return bytes;
}
