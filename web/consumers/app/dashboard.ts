import { isProvider, load } from "trellis-policy";
import { trellis } from "trellis-policy/codemirror";
import { gardenerSchemas, graft, schemas } from "trellis-policy/schema";

/** What the editor of a Shoot gets for its provider: findings with fixes, explanations, and a schema for completion. */
export async function editorHelp(provider: string, cloudProfile?: object) {
  if (!isProvider(provider)) return undefined;
  const [policy, configs, { Shoot }] = await Promise.all([load({ provider }), schemas(provider), gardenerSchemas()]);
  const extension = trellis({ policy, schemas: configs, request: () => ({ context: { cloudProfile } }) });
  return { extension, schema: graft(Shoot, configs) };
}
