import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const workspace = (path: string) => fileURLToPath(new URL(`../../../packages/${path}`, import.meta.url))

export default defineConfig({
  base: '/console/',
  plugins: [react()],
  resolve: {
    // Listed by name, because the `source` condition would also select sources of third-party packages.
    alias: [
      { find: /^@kyc\/web-kit$/, replacement: workspace('web-kit/src/index.ts') },
      { find: '@kyc/common/workflow', replacement: workspace('common/src/domain/workflow.ts') },
    ],
  },
  build: {
    target: 'es2022',
    // The content security policy allows no inline script, and data: URLs for images only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { proxy: { '/console/api': 'http://localhost:8080' } },
})
