import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const workspace = (path: string) => fileURLToPath(new URL(`../../../packages/${path}`, import.meta.url))

export default defineConfig({
  base: '/console/',
  plugins: [react()],
  resolve: {
    // From sources, by name: other packages use the `source` condition too, for sources that are not meant for us.
    alias: [
      { find: /^@kyc\/web-kit$/, replacement: workspace('web-kit/src/index.ts') },
      { find: '@kyc/common/workflow', replacement: workspace('common/src/domain/workflow.ts') },
    ],
  },
  build: {
    target: 'es2022',
    // The content security policy allows no inline script, and nothing as data: but pictures.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { proxy: { '/console/api': 'http://localhost:8080' } },
})
