// Serves the application that `vite build` made, on loopback, and prints its address.

import { parseArgs } from 'node:util'
import { createApp } from './app.js'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8760' },
    // A Content-Security-Policy without 'unsafe-eval'.
    narrow: { type: 'boolean', default: false },
    // What the frontend has of the package: `none`, `schemas` or `checks`.
    policy: { type: 'string', default: 'checks' },
  },
})

const app = createApp({ isNarrow: values.narrow, features: { policy: values.policy } })
const server = app.listen(Number(values.port), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}/`)
})
