// The part of the backend's API that the application uses, with the shapes of the dashboard's and objects in memory.

import { Router, json } from 'express'
import { gardenerSchemas } from 'trellis-policy/schema'
import { cloudProfiles, shoots } from './objects.js'

const SHOOT = 'com.github.gardener.gardener.pkg.apis.core.v1beta1.Shoot'

/** `features` say what the frontend shows. */
export function createApi (features) {
  const garden = new Map(shoots.map(shoot => [keyOf(shoot.metadata), shoot]))
  const api = new Router()
  api.use(json())
  api.get('/info', (req, res) => {
    res.json({ version: '1.86.0', gardenerVersion: { major: '1', minor: '150', gitVersion: 'v1.150.0' } })
  })
  api.get('/config', (req, res) => {
    res.json({ features })
  })
  api.get('/cloudprofiles', (req, res) => {
    res.json(cloudProfiles)
  })
  // The backend of the dashboard reads the schema from the API server, and dereferences it.
  api.get('/openapi', async (req, res) => {
    const { Shoot } = await gardenerSchemas()
    res.json({ [SHOOT]: Shoot })
  })
  api.route('/namespaces/:namespace/shoots/:name')
    .get((req, res) => {
      const shoot = garden.get(keyOf(req.params))
      shoot ? res.json(shoot) : notFound(req, res)
    })
    .put((req, res) => {
      const key = keyOf(req.params)
      if (!garden.has(key)) return notFound(req, res)
      const { metadata } = garden.get(key)
      garden.set(key, { ...req.body, metadata: { ...metadata, ...req.body.metadata } })
      res.json(garden.get(key))
    })
  api.post('/namespaces/:namespace/shoots', (req, res) => {
    const { metadata, ...shoot } = req.body
    const { namespace } = req.params
    const created = { ...shoot, metadata: { ...metadata, namespace, uid: `uid-of-${metadata.name}` } }
    garden.set(keyOf(created.metadata), created)
    res.status(201).json(created)
  })
  api.use(notFound)
  return api
}

function keyOf ({ namespace, name }) {
  return `${namespace}/${name}`
}

function notFound (req, res) {
  res.status(404).json({ kind: 'Status', status: 'Failure', code: 404, message: `there is no ${req.originalUrl}` })
}
