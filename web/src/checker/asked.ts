/** What a worker is sent of an object that is to be checked. */

import { namesIn } from "../check/openapi.js";
import { kindsOf, rolesIn } from "../check/roles.js";
import type { ErrorAnswer } from "../documents.js";
import { failure, reason, shown } from "../errors.js";
import { written } from "../policy.js";
import type { ObjectSettings } from "./interface.js";

/** JSON text of the names in an OpenAPI document, made once, because the document is long. */
const names = new WeakMap<object, string>();

/** The request without what is long, as JSON text, and that by name, because a page may have objects that it cannot clone, such as those of Vue. */
export function sentOf(object: unknown, settings: ObjectSettings = {}): { request: string; texts: Record<string, string> } | ErrorAnswer {
  if (typeof settings !== "object" || settings === null) {
    return failure("Malformed", `what goes with an object is an object such as \`{ context }\`, not ${shown(settings)}`);
  }
  if (Object.hasOwn(settings, "object")) return failure("Malformed", "there is no member `object`: the object is what is given first");
  const { context, openapi, ...rest } = settings;
  const roles = rolesIn(context);
  if ("error" in roles) return roles;
  const texts: Record<string, string> = {};
  for (const [role, value] of roles) {
    const text = typeof value === "string" && kindsOf(role).length === 0 ? JSON.stringify(value) : written(value as object | string);
    if (typeof text !== "string") return text;
    texts[role] = text;
  }
  const isDocument = typeof openapi === "object" && openapi !== null;
  try {
    if (isDocument) texts["openapi"] = namesOf(openapi);
  } catch (thrown) {
    return failure("Malformed", `\`openapi\` cannot be used: ${reason(thrown)}`);
  }
  const request = written({ ...rest, object, ...(!isDocument && { openapi }) });
  return typeof request === "string" ? { request, texts } : request;
}

function namesOf(openapi: object): string {
  const known = names.get(openapi) ?? JSON.stringify(namesIn(openapi));
  names.set(openapi, known);
  return known;
}
