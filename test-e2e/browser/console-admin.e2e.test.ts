import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import pg from 'pg'
import type { Browser } from 'playwright-core'
import { apiClient } from '../support/api.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { startTestSystem, type TestSystem } from '../support/system.ts'
import { until } from '../support/until.ts'
import { chromiumPath, launchChromium } from './support/chromium.ts'
import { beginSignIn, type Console, enrolOwner, identityConfirmedUntil, signIn } from './support/console.ts'
import { advanceScenario, withoutModels } from './support/seed.ts'

const executable = chromiumPath()
const inBrowser = executable === null ? describe.skip : describe

inBrowser('an owner running the service from the console', () => {
  let system: TestSystem
  let receiver: Receiver
  let browser: Browser
  let owner: Console

  beforeAll(async () => {
    receiver = await startReceiver()
    system = await startTestSystem(await withoutModels({ WEBHOOK_URL: receiver.url }))
    receiver.useSecret(system.app.webhook_secret)
    browser = await launchChromium(executable as string)
    owner = await enrolOwner(browser, system)
  })
  afterAll(async () => {
    await browser?.close()
    await system?.close()
    await receiver?.close()
  })

  test('signs in elsewhere with a second-factor code and finds the view saved here; a used code is rejected', async () => {
    const { page: here } = owner
    await owner.open('/apps/:app/sessions?status=in_review')
    await here.getByRole('button', { name: 'Save this view' }).click()
    await here.getByLabel('Name of the view').fill('To decide')
    await here.keyboard.press('Enter')
    await here.getByRole('status').getByText('“To decide” is saved.').waitFor()

    const used = await owner.code()
    const elsewhere = await signIn(browser, system, { ...owner, code: () => Promise.resolve(used) })
    await elsewhere.open('/apps/:app/sessions')
    await elsewhere.page.getByLabel('View', { exact: true }).selectOption({ label: 'To decide' })
    await elsewhere.page.getByRole('button', { name: 'In review', pressed: true }).waitFor()
    await elsewhere.page.getByRole('button', { name: 'Forget this view' }).click()
    await elsewhere.page.getByRole('status').getByText('“To decide” is forgotten.').waitFor()
    expect(elsewhere.problems).toEqual([])
    await elsewhere.close()
    const page = await beginSignIn(browser, system)
    await page.getByLabel('Code').fill(used)
    await page.keyboard.press('Enter')
    await page
      .getByRole('alert')
      .getByText("Incorrect code. Check that your phone's clock is set automatically.")
      .waitFor()
    await page.context().close()
  })

  test('creates a key that works, and revokes it: the gateway rejects it within a second', async () => {
    const { page } = owner
    await owner.open('/apps/:app/keys')
    await page.getByRole('button', { name: /Create key/ }).click()
    await page.getByLabel('Name', { exact: true }).fill('billing backend')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Key created' })
    await identityConfirmedUntil(owner, system, dialog)
    const key = (await dialog.locator('code').textContent()) ?? ''
    expect(key).toMatch(/^kyc_test_/)
    await dialog.getByLabel('I stored it').check()
    await dialog.getByRole('button', { name: 'Done' }).click()

    const client = apiClient(system.url, key)
    expect((await client.get('/v1/sessions')).status).toBe(200)
    await page.getByRole('button', { name: 'Revoke billing backend' }).click()
    await page.getByRole('button', { name: 'Revoke for good' }).click()
    await page.getByRole('status').getByText('billing backend is revoked').waitFor()
    const revoked = Date.now()
    await until(
      () => client.get('/v1/sessions'),
      ({ status }) => status === 401,
      1000,
    )
    expect(Date.now() - revoked).toBeLessThan(1000)
  })

  test('rotates the webhook secret: the next delivery is signed with it', async () => {
    const { page } = owner
    await owner.open('/apps/:app/webhooks')
    await page.getByRole('button', { name: 'Rotate secret' }).click()
    await page.getByRole('button', { name: 'Rotate', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'New signing secret' })
    await identityConfirmedUntil(owner, system, dialog)
    const secret = (await dialog.locator('code').textContent()) ?? ''
    expect(secret).not.toBe(system.app.webhook_secret)
    await dialog.getByLabel('I stored it').check()
    await dialog.getByRole('button', { name: 'Done' }).click()

    receiver.useSecret(secret)
    const decided = await advanceScenario(apiClient(system.url, system.app.api_key), 'approved')
    await receiver.until(({ data }) => data.session_id === decided && data.status === 'approved')
    await page.getByRole('button', { name: 'Send a ping' }).click()
    await receiver.until(({ event }) => event === 'ping')
    expect(receiver.refused()).toBe(0)
    await page.getByRole('button', { name: 'Refresh' }).click()
    await page.getByRole('cell', { name: 'Delivered' }).first().waitFor()
  })

  test('verifies and exports the audit log, which contains the latest actions', async () => {
    const { page } = owner
    await owner.open('/audit')
    const [exported] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export head' }).click(),
    ])
    await page.getByLabel('Exported head (optional)').setInputFiles(await exported.path())
    await page.getByRole('button', { name: 'Verify chain' }).click()
    await page.getByText(/Entries 1 to \d+ are proven by the head of \S+ stored in the vault/).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export JSONL' }).click(),
    ])
    const chunks: Buffer[] = []
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
    const entries = Buffer.concat(chunks)
      .toString('utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { seq: number; action: string })
    expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1))
    const actions = new Set(entries.map(({ action }) => action))
    for (const action of ['user.signed_in', 'key.revoked', 'webhook.secret_rotated'])
      expect(actions).toContain(action)
  })

  test('reports the exact seq of the one audit row that was changed in the database', async () => {
    const { page } = owner
    await owner.open('/audit?action=key.revoked')
    const row = page.getByRole('row').nth(1)
    const seq = Number((await row.getByRole('cell').first().textContent())?.replaceAll(/\D/g, ''))
    expect(seq).toBeGreaterThan(1)
    const client = new pg.Client({ connectionString: system.databaseUrl })
    await client.connect()
    try {
      await client.query('ALTER TABLE console.audit_entry DISABLE TRIGGER USER')
      await client.query(`UPDATE console.audit_entry SET target = 'key_other' WHERE seq = $1`, [seq])
      await client.query('ALTER TABLE console.audit_entry ENABLE TRIGGER USER')
    } finally {
      await client.end()
    }
    await page.getByRole('button', { name: 'Verify chain' }).click()
    await page.getByText(`Entry ${seq} is not what was written, or is missing.`).waitFor()
  })

  test('left no error in the browser', () => {
    expect(owner.problems).toEqual([])
  })
})
