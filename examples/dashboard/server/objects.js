// What the garden has: the CloudProfiles and Shoots of some examples of the repository.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadAll } from 'js-yaml'

const EXAMPLES = [
  'aws-seven-mistakes',
  'aws-three-zones-dual-stack',
  'azure-zoned',
  'gcp-new-vpc',
  'openstack-new-network',
  'two-zones',
]

const objects = EXAMPLES.flatMap(name => loadAll(readFileSync(join(import.meta.dirname, '../examples', `${name}.yaml`), 'utf8')))

/** The first object of each name. */
function ofKind (kind) {
  const byName = new Map()
  for (const object of objects) {
    if (object.kind === kind && !byName.has(object.metadata.name)) {
      byName.set(object.metadata.name, object)
    }
  }
  return [...byName.values()]
}

export const cloudProfiles = ofKind('CloudProfile')

/** As the API server sends Shoots that are there already. */
export const shoots = ofKind('Shoot').map(shoot => {
  const { metadata } = shoot
  return { ...shoot, metadata: { ...metadata, uid: `uid-of-${metadata.name}`, resourceVersion: '1', managedFields: [] } }
})
