/** What a person does to networks in the simulated cloud, and what that has to do with the text. */

import { computed, type Ref, shallowRef } from "vue";
import type { ReviewedDocument } from "trellis-policy/checker";
import type { Applying, Network } from "./apply.js";
import { useEdited } from "./edited.js";
import { nameOf } from "./names.js";
import type { Reviewing } from "./review.js";
import type { PanelName } from "./workspace.js";

interface Page {
  reviewing: Reviewing;
  applying: Applying;
  panel: Ref<PanelName>;
  /** Asks whether the network is to be taken down. */
  ask: () => void;
}

export function useNetworks({ reviewing: { checker, review, reviewed, documents, fail }, applying, panel, ask }: Page) {
  const { cloud, applied, start } = applying;
  const edited = useEdited(checker, { review, reviewed, applied, cloud });
  /** Ids of what the examples name, as far as the text has them. */
  const given = computed(() => cloud.value?.given.filter((id) => reviewed.value.text.includes(id)) ?? []);

  /** Makes the infrastructure of a document. */
  async function apply(document: ReviewedDocument): Promise<void> {
    try {
      const manifests = await checker.objects(reviewed.value, documents.value.indexOf(document));
      edited.sent(nameOf(document), manifests);
      await start("reconcile", nameOf(document), manifests);
    } catch (thrown) {
      fail(thrown);
    }
  }

  /** The network that the person is asked about. */
  const doomed = shallowRef<Network>();
  function askToDestroy(network: Network): void {
    doomed.value = network;
    ask();
  }
  function destroy({ shoot, manifests }: Network): void {
    panel.value = "plan";
    void start("delete", shoot, manifests);
  }

  return { edited, given, apply, doomed, askToDestroy, destroy };
}
