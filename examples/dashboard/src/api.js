/** The backend's API. */

async function request (url, { method = 'GET', body } = {}) {
  const response = await fetch(url, {
    method,
    headers: body ? { 'Content-Type': 'application/json' } : {},
    body: body && JSON.stringify(body),
  })
  const data = await response.json()
  if (!response.ok) {
    throw new Error(data.message ?? response.statusText)
  }
  return data
}

export default {
  getCloudProfiles: () => request('/api/cloudprofiles'),
  getConfiguration: () => request('/api/config'),
  getInfo: () => request('/api/info'),
  async getShootSchemaDefinition () {
    const definitions = await request('/api/openapi')
    return definitions['com.github.gardener.gardener.pkg.apis.core.v1beta1.Shoot']
  },
  getShoot: ({ namespace, name }) => request(`/api/namespaces/${namespace}/shoots/${name}`),
  createShoot: ({ namespace, data }) => request(`/api/namespaces/${namespace}/shoots`, { method: 'POST', body: data }),
  replaceShoot: ({ namespace, name, data }) => request(`/api/namespaces/${namespace}/shoots/${name}`, { method: 'PUT', body: data }),
}
