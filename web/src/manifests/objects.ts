/** The objects of an answer of `render`, as people read them. */

import type { RenderAnswer } from "../documents.js";
import { textAt } from "../check/objects.js";
import { expectAnswer } from "./answer.js";
import { masked } from "./mask.js";
import { yamlOf } from "./text.js";

/** What the manifests are made of: an answer of `render`, or what is left of one. */
export type Rendered = Pick<RenderAnswer, "managedResources">;

/** A managed resource and the objects in it, or the machines of worker pools. */
export interface ResourceManifests {
  /** Its name; `Machines` for those. */
  name: string;
  /** Which cluster its objects belong to: `seed`; the Shoot where absent. */
  class?: string;
  /** The objects, in the order in which they are created. */
  objects: ManifestObject[];
}

/** What an object is called. */
export interface Names {
  /** Empty for a machine deployment, which is no Kubernetes object: the extension makes a MachineDeployment of it. */
  apiVersion: string;
  kind: string;
  namespace?: string;
  name: string;
}

/** An object; values of Secrets are masked wherever it has them. */
export interface ManifestObject extends Names {
  /** The object as YAML. */
  text: string;
  /** The object itself. */
  object: unknown;
}

/**
 * The objects of an answer by managed resource; none where the answer has none. A value of a Secret is `<masked: 8 bytes>`
 * in all of them, and one with a placeholder `<masked>`. It throws a `TypeError` for what is no such answer, as the others do.
 */
export function manifestsOf(answer: Rendered): ResourceManifests[] {
  expectAnswer(answer, "manifestsOf", "render");
  const { managedResources = [] } = answer;
  return managedResources.map(({ name, spec, objects }) => ({
    name,
    ...(spec.class !== undefined && { class: spec.class }),
    objects: objects.map((object) => manifestOf(object)),
  }));
}

/** An object as people read it. */
export function manifestOf(whole: unknown, names = namesOf(whole)): ManifestObject {
  const object = masked(whole);
  return { ...names, text: yamlOf(object), object };
}

/** What a Kubernetes object is called. */
export function namesOf(object: unknown): Names {
  const namespace = textAt(object, "metadata", "namespace");
  return {
    apiVersion: textAt(object, "apiVersion") ?? "",
    kind: textAt(object, "kind") ?? "",
    ...(namespace !== undefined && { namespace }),
    name: textAt(object, "metadata", "name") ?? "",
  };
}
