import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import api from '@/api'

export const useCloudProfileStore = defineStore('cloudProfile', () => {
  const list = shallowRef(null)

  async function fetchCloudProfiles () {
    list.value = await api.getCloudProfiles()
  }

  function cloudProfileByRef ({ kind, name } = {}) {
    return kind === 'CloudProfile' ? list.value?.find(({ metadata }) => metadata.name === name) : undefined
  }

  return { list, fetchCloudProfiles, cloudProfileByRef }
})
