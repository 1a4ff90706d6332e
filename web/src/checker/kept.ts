/** Long texts, such as a CloudProfile, which a worker is sent once, and which are named as long as they stay the same. */

/** Texts by name; `true` stands for the one that was sent by that name before. */
export type NamedTexts = Record<string, string | true>;

/** What a worker has, as the page knows it. */
export class SentTexts {
  private readonly last = new Map<string, string>();

  /** What the worker is to be sent of some texts. */
  of(texts: Record<string, string>): NamedTexts {
    return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, this.last.get(name) === text ? true : text]));
  }

  /** Notes that the worker has been sent some texts. */
  add(texts: Record<string, string>): void {
    for (const [name, text] of Object.entries(texts)) this.last.set(name, text);
  }
}

/** What the worker has. */
export class KeptTexts {
  private readonly last = new Map<string, string>();

  /** The texts that a message names, of which the worker keeps those that are new. */
  of(texts: NamedTexts): Record<string, string> {
    for (const [name, text] of Object.entries(texts)) if (text !== true) this.last.set(name, text);
    return Object.fromEntries(Object.keys(texts).map((name) => [name, this.last.get(name) ?? ""]));
  }
}
