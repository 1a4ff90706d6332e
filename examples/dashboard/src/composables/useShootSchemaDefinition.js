import { computedAsync, createGlobalState } from '@vueuse/core'
import api from '@/api'

/** The schema of Shoots that the API server has: what providers configure is left open. */
export const useShootSchemaDefinition = createGlobalState(() => computedAsync(() => api.getShootSchemaDefinition(), null))

/** The same with the configuration of a provider in it. */
export function useProviderSchemaDefinition (providerType) {
  const definition = useShootSchemaDefinition()
  return computedAsync(async () => {
    const shoot = definition.value
    const { graft, isProvider, schemas } = await import('trellis-policy/schema')
    return shoot && isProvider(providerType) ? graft(shoot, await schemas(providerType)) : shoot
  }, null)
}
