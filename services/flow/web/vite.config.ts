import { defaultClientConditions, defineConfig } from 'vite'

export default defineConfig({
  base: '/flow-assets/',
  // Workspace packages are read from their sources, as everywhere.
  resolve: { conditions: ['source', ...defaultClientConditions] },
  build: {
    // Phones of three and more years: Safari 15.4, Chrome 100.
    target: ['es2021', 'safari15', 'chrome100', 'firefox100'],
    assetsDir: '',
    assetsInlineLimit: 0,
    // The content security policy knows no inline script.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  worker: { format: 'es' },
  server: { proxy: { '^/flow/': 'http://localhost:8080' } },
})
