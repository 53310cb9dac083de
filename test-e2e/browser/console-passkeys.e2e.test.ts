import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import pg from 'pg'
import type { Browser, Page } from 'playwright-core'
import { startTestSystem, type TestSystem } from '../support/system.ts'
import { violationsOf } from './support/axe.ts'
import { chromiumPath, launchChromium } from './support/chromium.ts'
import { givePassword, newPage, storeRecoveryCodes } from './support/console.ts'
import { screenshot } from './support/screenshots.ts'
import { withoutModels } from './support/seed.ts'
import { type VirtualAuthenticator, virtualAuthenticators } from './support/virtual-authenticator.ts'

const executable = chromiumPath()
const inBrowser = executable === null ? describe.skip : describe

inBrowser('a person with passkeys', () => {
  /** Browsers allow passkeys only on host names, so the console is opened at its configured address. */
  let system: TestSystem
  let database: pg.Client
  let browser: Browser
  let page: Page
  let problems: string[]
  let laptop: VirtualAuthenticator
  let securityKey: VirtualAuthenticator
  let recoveryCodes: string[]

  beforeAll(async () => {
    const started = await startTestSystem(await withoutModels({}))
    system = { ...started, url: started.url.replace('127.0.0.1', 'localhost') }
    database = new pg.Client({ connectionString: system.databaseUrl })
    await database.connect()
    browser = await launchChromium(executable as string)
    ;({ page, problems } = await newPage(browser))
    const authenticators = await virtualAuthenticators(page)
    laptop = await authenticators.add('internal')
    securityKey = await authenticators.add('usb')
    await securityKey.setPresent(false)
  })
  afterAll(async () => {
    await browser?.close()
    await database?.end()
    await system?.close()
  })

  const heading = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const signOut = async () => {
    await page.context().clearCookies()
    await page.goto(`${system.url}/console/login`)
    await heading('Sign in')
  }
  const openAccount = async () => {
    await page.goto(`${system.url}/console/account`)
    await heading('Account')
    await page.getByRole('region', { name: 'Passkeys' }).getByRole('table').waitFor()
  }
  const audited = async (action: string) =>
    (await database.query('SELECT FROM console.audit_entry WHERE action = $1', [action])).rowCount

  test('is told where passkeys work when the console is opened at another address', async () => {
    const elsewhere = await newPage(browser)
    await givePassword(elsewhere.page, { ...system, url: system.url.replace('localhost', '127.0.0.1') })
    await elsewhere.page.getByRole('button', { name: 'Create a passkey' }).click()
    await elsewhere.page
      .getByRole('alert')
      .getByText(/by the host name localhost/)
      .waitFor()
    await elsewhere.context.close()
  })

  test('enrols one at the first sign-in by keyboard alone, and gets recovery codes', async () => {
    await givePassword(page, system)
    await heading('Set up a second factor')
    await page.getByRole('heading', { name: 'Passkey (recommended)' }).waitFor()
    await screenshot(page, 'console/enrolment')
    expect(await violationsOf(page)).toEqual([])
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').textContent()).toBe('Create a passkey')
    await page.keyboard.press('Enter')
    recoveryCodes = await storeRecoveryCodes(page)
    await heading('Queue')
    expect(await laptop.credentials()).toHaveLength(1)
  })

  test('renames it, and is told that the same device already has one', async () => {
    await openAccount()
    await press('Rename My first passkey')
    await page.getByLabel('Name of the passkey').fill('Laptop')
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('The passkey is named “Laptop”.').waitFor()
    await page.getByRole('cell', { name: 'Laptop', exact: true }).waitFor()
    const only = page.getByRole('button', { name: 'Remove Laptop' })
    expect(await only.getAttribute('aria-disabled')).toBe('true')
    await press('Add a passkey')
    const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
    expect(await violationsOf(page)).toEqual([])
    await dialog.getByLabel('Name of the passkey').fill('Again')
    await page.keyboard.press('Enter')
    await dialog.getByRole('alert').getByText('This device already has a passkey of your account.').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
  })

  test('adds another on a security key', async () => {
    await laptop.setPresent(false)
    await securityKey.setPresent(true)
    await press('Add a passkey')
    await page.getByLabel('Name of the passkey').fill('Security key')
    await page.keyboard.press('Enter')
    await page.getByRole('cell', { name: 'Security key', exact: true }).waitFor()
    expect(await securityKey.credentials()).toHaveLength(1)
    await screenshot(page, 'console/passkeys')
    await securityKey.setPresent(false)
    await laptop.setPresent(true)
  })

  test('signs in by password and passkey', async () => {
    await signOut()
    expect(await violationsOf(page)).toEqual([])
    await givePassword(page, system)
    await heading('Second factor')
    await page.getByRole('button', { name: 'Use a recovery code' }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await press('Use a passkey')
    await heading('Queue')
  })

  test('signs in by passkey alone', async () => {
    await signOut()
    await press('Sign in with a passkey')
    await heading('Queue')
    const [credential] = await laptop.credentials()
    const { rows } = await database.query('SELECT sign_count::int FROM console.passkey WHERE name = $1', [
      'Laptop',
    ])
    expect(rows).toEqual([{ sign_count: credential?.signCount }])
    expect(credential?.signCount).toBeGreaterThan(0)
  })

  test('re-authenticates by passkey before a key is created', async () => {
    await database.query('UPDATE console.sign_in SET reauthenticated_at = NULL')
    await page.goto(`${system.url}/console/`)
    await heading('Queue')
    const appId = /apps\/(app_\w+)/.exec(page.url())?.[1]
    await page.goto(`${system.url}/console/apps/${appId}/keys`)
    await page.getByRole('button', { name: /Create key/ }).click()
    await page.getByLabel('Name', { exact: true }).fill('billing backend')
    await press('Create')
    const asked = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await asked.waitFor()
    expect(await violationsOf(page)).toEqual([])
    await asked.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByRole('dialog', { name: 'Key created' }).waitFor()
    expect(await audited('user.reauthenticated')).toBe(1)
  })

  test('removes one, which then no longer signs in, while the other remains', async () => {
    await openAccount()
    await press('Remove Security key')
    await page.getByRole('dialog', { name: 'Remove this passkey' }).waitFor()
    await press('Remove')
    await page
      .getByRole('status')
      .getByText(/“Security key” is removed/)
      .waitFor()
    await page.getByRole('cell', { name: 'Security key', exact: true }).waitFor({ state: 'detached' })
    expect(await page.getByRole('button', { name: 'Remove Laptop' }).getAttribute('aria-disabled')).toBe(
      'true',
    )
    await signOut()
    await laptop.setPresent(false)
    await securityKey.setPresent(true)
    await press('Sign in with a passkey')
    await page
      .getByRole('alert')
      .getByText(/This passkey was not accepted/)
      .waitFor()
  })

  test('signs in by a recovery code without the device', async () => {
    await signOut()
    await givePassword(page, system)
    await heading('Second factor')
    await press('Use a recovery code')
    await page.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '')
    await page.keyboard.press('Enter')
    await heading('Queue')
    expect(await audited('user.signed_in')).toBe(4)
  })

  test('left no error in the browser', () => {
    expect(problems).toEqual([])
  })
})
