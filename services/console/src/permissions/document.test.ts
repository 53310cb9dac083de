import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'
import { permissionDocument } from './document.ts'

test('the printed matrix matches the contracts (npx --yes pnpm console-permissions writes it)', () => {
  const file = fileURLToPath(new URL('../../../../docs/console-permissions.md', import.meta.url))
  expect(readFileSync(file, 'utf8')).toBe(permissionDocument())
})
