import { dump, load } from 'js-yaml'
import { getCurrentScope, onScopeDispose } from 'vue'
import { useProviderSchemaDefinition, useShootSchemaDefinition } from './useShootSchemaDefinition'
import { useConfigStore } from '@/store/config'

/** An editor of a Shoot, or of a part of one, which is a part of `onto`. */
export function useShootEditor (object, { label, providerType, onto }) {
  const configStore = useConfigStore()
  const schemaDefinition = configStore.hasPolicySchemas
    ? useProviderSchemaDefinition(providerType)
    : useShootSchemaDefinition()
  const scope = getCurrentScope()
  let cm = null

  async function loadEditor (element) {
    const [{ useCodemirror }, policy] = await Promise.all([import('./useCodemirror'), loadPolicy()])
    if (scope.active) {
      cm = useCodemirror(element, { doc: dump(object), label, schemaDefinition, policy })
    }
  }

  /** What the editor knows of the rules. */
  async function loadPolicy () {
    if (!configStore.hasPolicyChecks) return undefined
    const { usePolicyEditor } = await import('./usePolicyEditor')
    return scope.run(() => usePolicyEditor({ onto }))
  }

  function getEditorValue () {
    return load(cm.getDocValue())
  }

  onScopeDispose(() => cm?.destroy())

  return { loadEditor, getEditorValue }
}
