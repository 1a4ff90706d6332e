import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import api from '@/api'

export const useConfigStore = defineStore('config', () => {
  const data = shallowRef(null)
  const gardenerVersion = shallowRef()

  const isInitial = computed(() => data.value === null)
  const hasPolicySchemas = computed(() => ['schemas', 'checks'].includes(data.value?.features?.policy))
  const hasPolicyChecks = computed(() => data.value?.features?.policy === 'checks')

  async function fetchConfig () {
    const [config, info] = await Promise.all([api.getConfiguration(), api.getInfo()])
    data.value = config
    gardenerVersion.value = info.gardenerVersion.gitVersion.replace(/^v/, '')
  }

  return { isInitial, hasPolicySchemas, hasPolicyChecks, gardenerVersion, fetchConfig }
})
