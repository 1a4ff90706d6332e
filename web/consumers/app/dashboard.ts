import { load, providers } from "trellis-policy";
import { graft, schemas, type JsonSchema } from "trellis-policy/schema";

/** What the editor of a Shoot needs of a provider; nothing where there is no policy for it. */
export async function help(provider: string, shootSchema: JsonSchema) {
  if (!providers.some((known) => known === provider)) return undefined;
  const [policy, configs] = await Promise.all([load({ provider }), schemas(provider)]);
  const check = (object: object, cloudProfile?: object) => policy.validate({ object, context: { cloudProfile } });
  return { schema: graft(shootSchema, configs), check };
}
