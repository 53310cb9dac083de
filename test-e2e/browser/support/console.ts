import { expect } from '@jest/globals'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import type { TestSystem } from '../../support/system.ts'
import { type Authenticator, authenticator } from './totp.ts'

export type Console = {
  page: Page
  context: BrowserContext
  appId: string
  code: Authenticator
  /** Opens `/console` + path and waits for its heading. */
  open(path: string): Promise<void>
  /** Errors that the browser reported; empty if there are none. */
  problems: string[]
  close(): Promise<void>
}

const settings = { viewport: { width: 1280, height: 860 }, reducedMotion: 'reduce' } as const

export async function newPage(browser: Browser) {
  const context = await browser.newContext(settings)
  context.setDefaultTimeout(10_000)
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('console', (message) => {
    // Rejections that a test provokes are not faults of the page.
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) problems.push(message.text())
  })
  return { context, page, problems }
}

/** The owner's first visit: password, enrolment of the second factor, recovery codes, the queue. */
export async function enrolOwner(browser: Browser, system: TestSystem): Promise<Console> {
  const { context, page, problems } = await newPage(browser)
  await givePassword(page, system)
  const code = await enrolAuthenticatorApp(page)
  return entered(system, { context, page, problems, code })
}

async function enrolAuthenticatorApp(page: Page): Promise<Authenticator> {
  await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor()
  await page.getByRole('button', { name: 'Use an authenticator app' }).click()
  await page.getByRole('heading', { name: 'Set up an authenticator app' }).waitFor()
  await page.locator('code').waitFor()
  const secret = (await page.locator('code').textContent()) ?? ''
  const code = authenticator(secret)
  await page.getByLabel(/6 digits/).fill(await code())
  await page.keyboard.press('Enter')
  await storeRecoveryCodes(page)
  return code
}

/** Reads the recovery codes and continues to the console. */
export async function storeRecoveryCodes(page: Page): Promise<string[]> {
  await page.getByRole('heading', { name: 'Keep these recovery codes' }).waitFor()
  const codes = await page.getByRole('listitem').allTextContents()
  expect(codes).toHaveLength(10)
  await page.getByLabel('I stored them').check()
  await page.getByRole('button', { name: 'Go to the console' }).click()
  return codes
}

export async function givePassword(page: Page, system: TestSystem): Promise<void> {
  await page.goto(`${system.url}/console/`)
  await page.getByLabel('E-mail address').fill(system.app.console.email)
  await page.getByLabel('Password').fill(system.app.console.password)
  await page.keyboard.press('Enter')
}

/** Another browser in which the password was accepted and the code is requested. */
export async function beginSignIn(browser: Browser, system: TestSystem): Promise<Page> {
  const { page } = await newPage(browser)
  await givePassword(page, system)
  await page.getByRole('heading', { name: 'Second factor' }).waitFor()
  return page
}

/** A later visit in another browser: password, then a code. */
export async function signIn(
  browser: Browser,
  system: TestSystem,
  { code }: { code: Authenticator },
): Promise<Console> {
  const { context, page, problems } = await newPage(browser)
  await givePassword(page, system)
  await page.getByLabel('Code').fill(await code())
  await page.keyboard.press('Enter')
  return entered(system, { context, page, problems, code })
}

async function entered(
  system: TestSystem,
  given: Pick<Console, 'context' | 'page' | 'problems' | 'code'>,
): Promise<Console> {
  const { page, context } = given
  await page.getByRole('heading', { name: 'Queue', level: 1 }).waitFor()
  const appId = /apps\/(app_\w+)/.exec(page.url())?.[1]
  if (!appId) throw new Error(`the queue's address names no app: ${page.url()}`)
  return {
    ...given,
    appId,
    open: async (path) => {
      await page.goto(`${system.url}/console${path.replace(':app', appId)}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
    },
    close: () => context.close(),
  }
}

/** A colleague invited by the owner: opens the link in another browser, chooses a password, enrols a second factor. */
export async function joinTeam(
  browser: Browser,
  system: TestSystem,
  owner: Console,
  colleague: { name: string; email: string; role: string },
): Promise<Console> {
  await owner.open('/users')
  await owner.page.getByRole('button', { name: 'Invite' }).click()
  await owner.page.getByLabel('E-mail address').fill(colleague.email)
  await owner.page.getByLabel('Role').selectOption(colleague.role)
  await owner.page.getByRole('button', { name: 'Send the invitation' }).click()
  const sent = owner.page.getByRole('dialog', { name: 'Link sent' })
  await identityConfirmedUntil(owner, system, sent)
  const link = (await sent.locator('code').textContent()) ?? ''
  await sent.getByRole('button', { name: 'Done' }).click()

  const { context, page, problems } = await newPage(browser)
  const password = 'plain words that only I would choose'
  // The link names the public address; a cookie for that host name would not be sent to this one.
  const { pathname, hash } = new URL(link)
  await page.goto(`${system.url}${pathname}${hash}`)
  await page.getByLabel('Your name').fill(colleague.name)
  await page.getByLabel('New password').fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('E-mail address').fill(colleague.email)
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  const code = await enrolAuthenticatorApp(page)
  return entered(system, { context, page, problems, code })
}

/**
 * Waits for a dialog before which the page may request the password again; within minutes of signing in it does not.
 */
export async function identityConfirmedUntil(
  owner: Console,
  system: TestSystem,
  dialog: Locator,
): Promise<void> {
  const asked = owner.page.getByRole('dialog', { name: 'Confirm that it is you' })
  await dialog.or(asked).waitFor()
  if (await asked.isVisible()) await confirmIdentity(owner, system)
  await dialog.waitFor()
}

/** Enters password and code again if the page requests them. */
async function confirmIdentity({ page, code }: Console, system: TestSystem): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await dialog.getByLabel('Password').fill(system.app.console.password)
  await dialog.getByLabel(/authenticator/).fill(await code())
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'hidden' })
}
