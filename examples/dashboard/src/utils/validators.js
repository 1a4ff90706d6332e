/** Rules of Vuelidate, as forms of the dashboard write them. */
import { helpers } from '@vuelidate/validators'

export { maxLength, minValue, required } from '@vuelidate/validators'

export function withFieldName (fieldName, rules) {
  return Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, helpers.withParams({ fieldName }, rule)]))
}

export const { withMessage } = helpers

export const lowerCaseAlphaNumHyphen = withMessage(
  'Must contain only lowercase alphanumeric characters or hyphen',
  value => /^[-a-z0-9]*$/.test(value),
)
