import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const shared = {
  rootDir: dirname(fileURLToPath(import.meta.url)),
  testEnvironment: '<rootDir>/packages/testing/jest-environment.mjs',
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  modulePathIgnorePatterns: ['/dist/', '<rootDir>/.data'],
  transform: {
    '^.+\\.tsx?$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', tsx: false },
          target: 'es2024',
          experimental: { keepImportAttributes: true },
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
}

/** Unit tests stand beside the rule; what needs a database, a broker or a browser says so in its name. */
export default {
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['<rootDir>/(packages|services)/**/*.test.ts', '<rootDir>/infra/**/*.test.mjs'],
      testPathIgnorePatterns: ['/node_modules/', '/dist/', '\\.integration\\.test\\.ts$'],
    },
    {
      ...shared,
      displayName: 'integration',
      testMatch: ['<rootDir>/(packages|services)/**/*.integration.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', '/dist/'],
    },
    {
      ...shared,
      displayName: 'e2e',
      testMatch: ['<rootDir>/test-e2e/**/*.e2e.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', '/dist/'],
    },
  ],
  maxWorkers: 2,
  testTimeout: 300_000,
}
