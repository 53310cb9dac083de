import { defaultClientConditions, defineConfig } from 'vite'

export default defineConfig({
  base: '/flow-assets/',
  // Resolve workspace packages from their sources, as everywhere in the workspace.
  resolve: { conditions: ['source', ...defaultClientConditions] },
  build: {
    // Supports phones from three or more years ago: Safari 15.4, Chrome 100.
    target: ['es2021', 'safari15', 'chrome100', 'firefox100'],
    assetsDir: '',
    assetsInlineLimit: 0,
    // The content security policy permits no inline script.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  worker: { format: 'es' },
  server: { proxy: { '^/flow/': 'http://localhost:8080' } },
})
