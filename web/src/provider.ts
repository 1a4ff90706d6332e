import { LoadError, shown } from "./errors.js";
import { classified, type ClassifiedProvider, infrastructures, type Provider, providers, rendered, type RenderedProvider } from "./generated/providers.js";

/** Whether a text is a provider type that there is a policy for. */
export function isProvider(text: unknown): text is Provider {
  return providers.some((provider) => provider === text);
}

/** The provider if there is a policy for it. */
export function knownProvider(name: unknown): Provider {
  if (isProvider(name)) return name;
  const there = `there are policies for ${providers.join(", ")}`;
  if (typeof name === "string" && name !== "") throw new LoadError(`${name} is not supported yet; ${there}`);
  throw new LoadError(`\`provider\` is a provider type, not ${shown(name)}; ${there}`);
}

/** The provider if errors of its cloud's calls are classified, whether or not its infrastructure is planned. */
export function classifiedProvider(name: unknown): ClassifiedProvider {
  const known = knownProvider(name);
  const found = classified.find((provider) => provider === known);
  if (found === undefined) {
    const there = `it classifies errors of ${classified.join(", ")}, and plans infrastructures of ${infrastructures.join(", ")}`;
    throw new LoadError(`Trellis has nothing of infrastructures of \`${known}\` yet; ${there}`);
  }
  return found;
}

/** The provider if its control planes are rendered. */
export function renderedProvider(name: unknown): RenderedProvider {
  const known = knownProvider(name);
  const found = rendered.find((provider) => provider === known);
  if (found === undefined) {
    throw new LoadError(`Trellis does not render control planes of \`${known}\` yet; it renders those of ${rendered.join(", ")}`);
  }
  return found;
}
