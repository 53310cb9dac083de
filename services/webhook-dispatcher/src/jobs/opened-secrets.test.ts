import { expect, test } from '@jest/globals'
import { newId } from '@kyc/runtime'
import { TestClock } from '@kyc/testing'
import { VaultKeyUnavailableError } from '@kyc/vault'
import { OpenedSecrets } from './opened-secrets.ts'

/** A vault that opens sealed bytes to their text and counts the calls. */
function world() {
  const clock = new TestClock()
  let opened = 0
  let away = false
  const secrets = new OpenedSecrets(
    {
      openForApp: async (_app, _context, sealed) => {
        if (away) throw new VaultKeyUnavailableError('away')
        opened++
        return Buffer.from(sealed).toString()
      },
    },
    clock,
  )
  return {
    secrets,
    clock,
    opened: () => opened,
    goAway: () => {
      away = true
    },
  }
}

test('opens a secret once a minute', async () => {
  const { secrets, clock, opened } = world()
  const app = newId('app')
  for (const _ of [1, 2, 3]) expect(await secrets.of(app, Buffer.from('whsec_a'))).toBe('whsec_a')
  expect(opened()).toBe(1)
  clock.advance({ minutes: 1 })
  expect(await secrets.of(app, Buffer.from('whsec_a'))).toBe('whsec_a')
  expect(opened()).toBe(2)
})

test('uses a rotated secret from the next attempt on, even if it is rotated back', async () => {
  const { secrets } = world()
  const app = newId('app')
  for (const secret of ['whsec_a', 'whsec_b', 'whsec_a'])
    expect(await secrets.of(app, Buffer.from(secret))).toBe(secret)
})

test('never returns the secret of another app, for any number of apps', async () => {
  const { secrets, opened } = world()
  const apps = Array.from({ length: 1_500 }, () => newId('app'))
  for (const round of [1, 2])
    for (const app of apps)
      expect([round, await secrets.of(app, Buffer.from(`whsec_${app}`))]).toEqual([round, `whsec_${app}`])
  expect(opened()).toBe(apps.length)
})

test('propagates a failure of the vault and does not cache it', async () => {
  const { secrets, clock, goAway } = world()
  const app = newId('app')
  await secrets.of(app, Buffer.from('whsec_a'))
  goAway()
  expect(await secrets.of(app, Buffer.from('whsec_a'))).toBe('whsec_a')
  clock.advance({ minutes: 1 })
  await expect(secrets.of(app, Buffer.from('whsec_a'))).rejects.toThrow('away')
})
