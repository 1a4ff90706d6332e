/** What becomes of the texts: addresses, links, and what a tab remembers. */

import { visible } from "trellis-policy/vue";

export const visit = {
  shared: (isExample: boolean) => (isExample ? "The address is copied. It opens the example, and holds no text." : "The address is copied. It holds the texts themselves: people who have it can read them."),
  shareFailed: "The browser did not let the page copy. The address bar has what to share.",
  linked: (isExample: boolean) =>
    isExample ? "The link is copied. It opens the example at the finding, and holds no text." : "The link is copied. It holds the texts themselves: people who have the link can read them.",
  findingGone: (rule: string) => `The text has no finding of the rule ${visible(rule)} at the place that the link names.`,
  /** Why there is no address, by what is known of Secrets in the texts. */
  unshared: {
    secret: "There is no link: the text has a Secret, or may become one, and its values must not get into an address.",
    pending: "The text is still being checked; try again in a moment.",
    open: "The texts are too long for an address.",
  },
  addressUnreadable: (why: "damaged" | "foreign" | "tooLarge" | "unknown") => {
    const words = { damaged: "it is damaged", foreign: "it holds something else than texts", tooLarge: "it holds too much", unknown: "it names nothing that the page knows" };
    return (
      `The link cannot be read: ${words[why]}. What you see is an example, and not what the link was to show. Chats and mails cut long links: ` +
      "copy the whole link, or ask for the text as a file, and open that by File."
    );
  },
  exampleUnknown: (name: string) =>
    `There is no example called ${visible(name)}, so you see another one. Examples, above, has all of them; a link of an older or a newer Trellis may name others.`,
  exampleUnloaded: (name: string) => `The example ${name} could not be loaded. This is another one: reload the page to try again.`,
  storageDenied: "This browser keeps nothing for the page: a reload would lose the text.",
  notRemembered: "The text is too long for this tab to remember: a reload would lose it.",
};
