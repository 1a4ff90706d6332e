import { computed, inject, provide, ref } from 'vue'
import { useCloudProfileStore } from '@/store/cloudProfile'
import { createShootManifest, createWorker, infrastructureConfigOf } from '@/utils/shoot'
import { useShootFindings } from './useShootFindings'

const KEY = 'shoot-context'

/** The Shoot of a form, and what the policies say of it. */
export function useProvideShootContext () {
  const cloudProfileStore = useCloudProfileStore()
  const manifest = ref(null)

  const cloudProfile = computed(() => cloudProfileStore.cloudProfileByRef(manifest.value?.spec.cloudProfile))
  const shootManifest = computed(() => {
    const { spec, ...rest } = JSON.parse(JSON.stringify(manifest.value))
    return { ...rest, spec: { ...spec, provider: { ...spec.provider, infrastructureConfig: infrastructureConfigOf(spec.provider) } } }
  })
  const regionZones = computed(() => {
    const region = cloudProfile.value.spec.regions.find(({ name }) => name === manifest.value.spec.region)
    return region?.zones.map(({ name }) => name) ?? []
  })

  function setShootManifest (namespace) {
    manifest.value ??= createShootManifest({ namespace, cloudProfile: cloudProfileStore.cloudProfileByRef({ kind: 'CloudProfile', name: 'aws' }) })
  }

  function addWorker () {
    const { workers } = manifest.value.spec.provider
    workers.push(createWorker({ name: `worker-${workers.length + 1}`, cloudProfile: cloudProfile.value }))
  }

  const context = { manifest, shootManifest, cloudProfile, regionZones, setShootManifest, addWorker }
  Object.assign(context, useShootFindings(context))
  provide(KEY, context)
  return context
}

export function useShootContext () {
  return inject(KEY)
}
