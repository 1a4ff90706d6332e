import { createSharedComposable, tryOnScopeDispose } from '@vueuse/core'
import { startChecker } from 'trellis-policy/checker'
import { fieldHover, policyCompletionSource, reviewLinter } from 'trellis-policy/codemirror'
import { schemas } from 'trellis-policy/schema'
import { useCloudProfileStore } from '@/store/cloudProfile'
import { useConfigStore } from '@/store/config'

/** One checker for all editors; its worker ends with the last of them. */
const useChecker = createSharedComposable(() => {
  const checker = startChecker()
  tryOnScopeDispose(() => checker.close())
  return checker
})

/** What an editor of a Shoot knows of the rules, or one of a part of the Shoot `onto`. */
export function usePolicyEditor ({ onto }) {
  const checker = useChecker()
  const { gardenerVersion } = useConfigStore()
  const { list } = useCloudProfileStore()
  const context = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: list })
  const linter = reviewLinter({
    review: (text, options) => checker.review({ text, onto, context, gardenerVersion }, options),
    edits: checker.edits,
  })
  const help = {
    schemas,
    onto: () => onto,
    choices: (text, place, options) => checker.choices({ text, context }, place, options),
  }
  return { extensions: [linter, fieldHover(help)], completionSource: policyCompletionSource(help) }
}
