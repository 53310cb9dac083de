import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import { loadSecrets, writePrivately } from './secrets.ts'

const folder = mkdtempSync(join(tmpdir(), 'kyc-secrets-'))
afterAll(() => rmSync(folder, { recursive: true }))

const modeOf = (file: string) => statSync(file).mode & 0o777

test('generates the secrets of an installation randomly and once, readable by their owner only', async () => {
  const [one, other] = [join(folder, 'one', 'secrets.json'), join(folder, 'other', 'secrets.json')]
  const made = await loadSecrets(one)
  expect(modeOf(one)).toBe(0o600)
  expect(await loadSecrets(one)).toEqual(made)
  const elsewhere = await loadSecrets(other)
  for (const name of ['vault_key', 'result_token_secret', 'audit_signing_key'] as const) {
    expect(made[name].length).toBeGreaterThanOrEqual(43)
    expect(elsewhere[name]).not.toBe(made[name])
  }
})

test('makes a file private that others could read before', async () => {
  const file = join(folder, 'standalone.json')
  for (const leftover of [file, `${file}.part`])
    writeFileSync(leftover, 'from an earlier version', { mode: 0o644 })
  await writePrivately(file, { api_key: 'secret' })
  expect(modeOf(file)).toBe(0o600)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ api_key: 'secret' })
  expect(existsSync(`${file}.part`)).toBe(false)
})
