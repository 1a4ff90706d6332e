import { createRouter, createWebHistory } from 'vue-router'

const shoot = '/namespace/:namespace/shoots'

export function createAppRouter () {
  return createRouter({
    history: createWebHistory(),
    routes: [
      { path: '/', redirect: '/namespace/garden-dev/shoots/+' },
      { path: `${shoot}/+`, name: 'NewShoot', component: () => import('@/views/GNewShoot.vue') },
      { path: `${shoot}/+/yaml`, name: 'NewShootEditor', component: () => import('@/views/GNewShootEditor.vue') },
      { path: `${shoot}/:name/yaml`, name: 'ShootItemEditor', component: () => import('@/views/GShootItemEditor.vue') },
      { path: `${shoot}/:name/workers`, name: 'ShootWorkers', component: () => import('@/views/GShootWorkers.vue') },
    ],
  })
}
