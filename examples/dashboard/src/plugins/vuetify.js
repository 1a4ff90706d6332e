import { createVuetify } from 'vuetify'
import { aliases, mdi } from 'vuetify/iconsets/mdi-svg'
import 'vuetify/styles'

export function createVuetifyPlugin () {
  const field = { variant: 'underlined' }
  return createVuetify({
    defaults: { VTextField: field, VSelect: field },
    icons: { defaultSet: 'mdi', aliases, sets: { mdi } },
  })
}
