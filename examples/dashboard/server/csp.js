// The Content-Security-Policy of the dashboard: what its app.mjs gives helmet, with helmet's defaults.

const DIRECTIVES = {
  'default-src': "'self'",
  'connect-src': "'self'",
  'style-src': "'self' 'unsafe-inline'",
  'font-src': "'self' data:",
  'img-src': "'self' data:",
  'frame-ancestors': "'self'",
  'base-uri': "'self'",
  'form-action': "'self'",
  'object-src': "'none'",
  'script-src-attr': "'none'",
}

/** The policy of today, which lets modules of WebAssembly be compiled as it lets any text be run; or a narrow one, which lets modules alone. */
export function contentSecurityPolicy (isNarrow) {
  const scripts = isNarrow ? "'self' 'wasm-unsafe-eval'" : "'self' 'unsafe-eval'"
  const directives = { ...DIRECTIVES, 'script-src': scripts }
  return Object.entries(directives).map(([name, sources]) => `${name} ${sources}`).join(';')
}
