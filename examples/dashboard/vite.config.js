import { fileURLToPath } from 'node:url'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vite'
import compression from 'vite-plugin-compression'
import vuetify from 'vite-plugin-vuetify'

export default defineConfig({
  plugins: [
    vue(),
    vuetify({ autoImport: true }),
    compressed('gzip', 'brotliCompress'),
  ],
  resolve: {
    alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) },
  },
  optimizeDeps: {
    exclude: ['vuetify', 'trellis-policy'],
  },
  server: {
    proxy: { '/api': 'http://127.0.0.1:8760' },
  },
  test: {
    include: ['src/**/__tests__/*.spec.js'],
    environment: 'jsdom',
    globals: true,
    server: { deps: { inline: ['vuetify'] } },
  },
})

/**
 * Compresses files in several ways. They begin at once, because the plugin leaves out what another call of it has
 * compressed before, and Vite runs one after the other.
 */
function compressed (...algorithms) {
  // The default filter leaves out modules of WebAssembly.
  const filter = /\.(js|mjs|json|css|html|wasm)$/i
  const plugins = algorithms.map(algorithm => compression({ algorithm, filter, threshold: 8 * 1024, verbose: false }))
  return {
    ...plugins[0],
    configResolved (config) {
      plugins.forEach(plugin => plugin.configResolved(config))
    },
    closeBundle: () => Promise.all(plugins.map(plugin => plugin.closeBundle())),
  }
}
