/** The messages of a field of Vuelidate, as texts. */
export function getErrorMessages (field) {
  return field.$errors.map(({ $message }) => $message)
}

/** The errors of a form in one text. */
export function messageFromErrors (errors) {
  return errors.map(({ $property, $message }) => `${$property}: ${$message}`).join(', ')
}
