import { mount } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { computed, defineComponent, h } from 'vue'
import { cloudProfiles } from '../../../../server/objects.js'
import GWorkerInputGeneric from '../GWorkerInputGeneric.vue'
import { useProvideShootContext } from '@/composables/useShootContext'
import { createVuetifyPlugin } from '@/plugins/vuetify'
import { useCloudProfileStore } from '@/store/cloudProfile'
import { useConfigStore } from '@/store/config'
import { getErrorMessages } from '@/utils/errors'

const answers = {
  '/api/cloudprofiles': cloudProfiles,
  '/api/config': { features: { policy: 'checks' } },
  '/api/info': { gardenerVersion: { gitVersion: 'v1.150.0' } },
}

/** Much more than it takes where others are at work, too. */
const PATIENCE = 60_000

describe('g-worker-input-generic', () => {
  beforeEach(() => {
    vi.stubGlobal('ResizeObserver', class {
      observe () {}
      unobserve () {}
      disconnect () {}
    })
  })

  afterEach(() => {
    vi.unstubAllGlobals()
  })

  /** The first worker in the form of a new Shoot, and its messages. */
  async function mountForm () {
    vi.stubGlobal('fetch', vi.fn(async url => Response.json(answers[url])))
    setActivePinia(createPinia())
    await Promise.all([useCloudProfileStore().fetchCloudProfiles(), useConfigStore().fetchConfig()])
    let context
    const form = defineComponent({
      setup () {
        context = useProvideShootContext()
        context.setShootManifest('garden-dev')
        return () => h(GWorkerInputGeneric, { worker: context.manifest.value.spec.provider.workers[0] })
      },
    })
    const wrapper = mount(form, { global: { plugins: [createVuetifyPlugin()] } })
    const v$ = computed(() => wrapper.findComponent(GWorkerInputGeneric).vm.v$)
    v$.value.$touch()
    return { worker: context.manifest.value.spec.provider.workers[0], wrapper, v$ }
  }

  const shown = wrapper => wrapper.findAll('.v-messages__message').map(message => message.text())

  it('shows what the policy finds at a field until it is right', async () => {
    const { worker, wrapper } = await mountForm()
    worker.minimum = 4
    await vi.waitFor(() => expect(shown(wrapper)).toEqual([expect.stringMatching(/minimum/)]), PATIENCE)
    worker.maximum = 4
    await vi.waitFor(() => expect(shown(wrapper)).toEqual([]), PATIENCE)
  }, PATIENCE)

  it('shows what its own rules find first', async () => {
    const { worker, wrapper, v$ } = await mountForm()
    const own = 'The minimum value allowed is 0'
    worker.maximum = -1
    await vi.waitFor(() => expect(getErrorMessages(v$.value.maximum)).toEqual([own, expect.any(String)]), PATIENCE)
    expect(shown(wrapper)).toEqual([own])
  }, PATIENCE)
})
