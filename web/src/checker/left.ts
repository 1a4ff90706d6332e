/** What is wrong with a Secret is told there, and not once more at each binding that names it. */

import { secretOf, type TextObject, textAt } from "../check/objects.js";
import type { ReviewedDocument } from "./interface.js";

/** Leaves findings of bindings to the Secrets of the text that have findings of the same rules. `objects` has the object of each document. */
export function leaveToSecrets(documents: ReviewedDocument[], objects: (TextObject | undefined)[], others: TextObject[]): void {
  documents.forEach((document, index) => {
    const { ruling } = document;
    const secret = ruling && ruling.findings.length > 0 ? secretOf(objects[index]?.object, others) : undefined;
    const told = secret && documents[objects.indexOf(secret)]?.ruling;
    if (!ruling || !told) return;
    const rules = new Set(told.findings.map(({ rule }) => rule));
    const findings = ruling.findings.filter(({ rule }) => !rules.has(rule));
    if (findings.length === ruling.findings.length) return;
    const [namespace, name] = ["namespace", "name"].map((key) => textAt(secret.object, "metadata", key));
    document.ruling = { ...ruling, findings };
    if (ruling.verdict === "reject") document.leftTo = `Secret ${namespace === undefined ? "" : `${namespace}/`}${name ?? ""}`;
  });
}
