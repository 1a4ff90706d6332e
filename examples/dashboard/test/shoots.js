// Shoots of the examples that tests change.

import { readFileSync } from 'node:fs'
import { parseAllDocuments } from 'yaml'

function shootOf (file) {
  const text = readFileSync(new URL(`../../${file}.yaml`, import.meta.url), 'utf8')
  return parseAllDocuments(text).map(document => document.toJS()).find(({ kind }) => kind === 'Shoot')
}

/** Seven mistakes for the rules of AWS, and one for Gardener's: a pool with a maximum below its minimum. */
export function shootWithMistakes () {
  const shoot = shootOf('aws-seven-mistakes')
  Object.assign(shoot.spec.provider.workers[0], { minimum: 12, maximum: 11 })
  return shoot
}

/** A Shoot in good order. */
export const goodShoot = () => shootOf('aws-three-zones-dual-stack')
