import { createPinia } from 'pinia'
import { createApp } from 'vue'
import App from './App.vue'
import { createVuetifyPlugin } from './plugins/vuetify.js'
import { createAppRouter } from './router/index.js'

createApp(App)
  .use(createPinia())
  .use(createVuetifyPlugin())
  .use(createAppRouter())
  .mount('#app')
