// The backend of the dashboard in short: its headers, its static files, and an API without a cluster.

import { fileURLToPath } from 'node:url'
import express from 'express'
import expressStaticGzip from 'express-static-gzip'
import { createApi } from './api.js'
import { contentSecurityPolicy } from './csp.js'

const DIST = fileURLToPath(new URL('../dist', import.meta.url))

/** `isNarrow` chooses the Content-Security-Policy, and `features` what the frontend shows. */
export function createApp ({ isNarrow, features }) {
  const app = express()
  app.disable('x-powered-by')
  app.use((req, res, next) => {
    res.set('Content-Security-Policy', contentSecurityPolicy(isNarrow))
    next()
  })
  app.use('/api', createApi(features))
  const compressed = { enableBrotli: true, orderPreference: ['br'] }
  app.use('/assets', expressStaticGzip(`${DIST}/assets`, { ...compressed, serveStatic: { immutable: true, maxAge: '1 week' } }))
  app.use('/assets', (req, res) => {
    res.sendStatus(404)
  })
  app.use(expressStaticGzip(DIST, compressed))
  app.use((req, res) => {
    res.sendFile('index.html', { root: DIST })
  })
  return app
}
