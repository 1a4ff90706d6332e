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

/** What an editor of Shoots knows of the rules. */
export function usePolicyEditor () {
  const checker = useChecker()
  const { gardenerVersion } = useConfigStore()
  const { list } = useCloudProfileStore()
  const context = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: list })
  const help = {
    schemas,
    choices: (text, place, options) => checker.choices({ text, context }, place, options),
  }
  const linter = reviewLinter({
    review: (text, options) => checker.review({ text, context, gardenerVersion }, options),
    edits: checker.edits,
  })
  return { extensions: [linter, fieldHover(help)], completionSource: policyCompletionSource(help) }
}
