import { computedAsync } from '@vueuse/core'
import { computed, onScopeDispose, shallowReactive, toValue } from 'vue'
import { useConfigStore } from '@/store/config'

/** What the policies find in the Shoot of a form: at each of its fields, and elsewhere. */
export function useShootFindings ({ manifest, shootManifest, cloudProfile }) {
  const configStore = useConfigStore()
  const forms = shallowReactive(new Set())

  const answer = computedAsync(async () => {
    if (!configStore.hasPolicyChecks || !manifest.value) return undefined
    const { gardenerVersion } = configStore
    const request = { object: shootManifest.value, context: { cloudProfile: cloudProfile.value }, gardenerVersion }
    const { check, placeOf, sentenceOf } = await import('trellis-policy')
    const checked = await check(request)
    if (checked.error) return undefined // The form's own rules remain.
    return { ...checked, words: finding => `${placeOf(finding)}: ${sentenceOf(finding)}` }
  })

  /** The `$externalResults` of a component: `fields` has the pointer of each of its fields. */
  function useMessages (fields) {
    forms.add(fields)
    onScopeDispose(() => forms.delete(fields))
    return computed(() => answer.value?.messages(toValue(fields)) ?? {})
  }

  const otherMessages = computed(() => {
    const shown = [...forms].flatMap(fields => Object.values(toValue(fields)))
    return answer.value?.rest(shown).map(answer.value.words) ?? []
  })

  return { useMessages, otherMessages }
}
