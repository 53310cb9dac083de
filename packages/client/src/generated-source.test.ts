import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { routesSource, typesSource } from '../scripts/generated-source.ts'
import { typescriptOf } from '../scripts/typescript-of-schema.ts'

const kept = (name: string) => readFileSync(new URL(`generated/${name}`, import.meta.url), 'utf8')

test('the types match the contracts (to fix: npx pnpm --filter @kyc/client types)', () => {
  expect(kept('types.ts')).toBe(typesSource())
  expect(kept('routes.ts')).toBe(routesSource())
})

test('a schema without a TypeScript type fails instead of becoming any', () => {
  expect(() => typescriptOf({ type: 'tuple' })).toThrow('no TypeScript')
  expect(typescriptOf({ anyOf: [{ type: 'string' }, { type: 'string' }, { type: 'null' }] })).toBe(
    'string | null',
  )
})
