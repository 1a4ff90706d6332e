/** Which objects of a context an object means: a form has others at hand, too, while somebody chooses. */

import type { ErrorAnswer } from "../documents.js";
import { failure } from "../errors.js";
import { textAt } from "./objects.js";
import { parsed } from "./parsed.js";

/** The context without what is of another name than the object names; an error where the context of a NamespacedCloudProfile has no parent. */
export function meantBy(object: unknown, context: Record<string, string>): { context: Record<string, string> } | ErrorAnswer {
  const at = (role: string, ...path: string[]): string | undefined => (context[role] === undefined ? undefined : textAt(parsed(context[role]), ...path));
  const isOther = (named: string | undefined, given: string | undefined): boolean => named !== undefined && given !== undefined && named !== given;
  const others: string[] = [];
  switch (textAt(object, "kind")) {
    case "Shoot":
      for (const role of ["credentialsBinding", "secretBinding"]) {
        if (isOther(textAt(object, "spec", `${role}Name`), at(role, "metadata", "name"))) others.push(role);
      }
      if (isOther(textAt(object, "metadata", "namespace"), at("project", "spec", "namespace"))) others.push("project");
      break;
    case "NamespacedCloudProfile":
      if (at("cloudProfile", "kind") === "NamespacedCloudProfile") {
        return failure("Malformed", "`context.cloudProfile` of a NamespacedCloudProfile is its parent, a CloudProfile, not a NamespacedCloudProfile");
      }
      if (isOther(textAt(object, "spec", "parent", "name"), at("cloudProfile", "metadata", "name"))) others.push("cloudProfile");
      break;
    default:
  }
  return { context: Object.fromEntries(Object.entries(context).filter(([role]) => !others.includes(role))) };
}
