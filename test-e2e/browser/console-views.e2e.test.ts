import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Browser } from 'playwright-core'
import { apiClient } from '../support/api.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { startTestSystem, type TestSystem } from '../support/system.ts'
import { until } from '../support/until.ts'
import { violationsOf } from './support/axe.ts'
import { chromiumPath, launchChromium } from './support/chromium.ts'
import { type Console, enrolOwner } from './support/console.ts'
import { screenshot } from './support/screenshots.ts'
import { scriptBytes } from './support/script-bytes.ts'
import { seedSessions, withoutModels } from './support/seed.ts'

const executable = chromiumPath()
const inBrowser = executable === null ? describe.skip : describe

/** The maximum compressed script size of a view's first load. */
const scriptBudget = 250 * 1024

inBrowser('every view of the console', () => {
  let system: TestSystem
  let receiver: Receiver
  let browser: Browser
  let owner: Console
  let paths: Record<string, string>
  const sizes: string[] = []

  beforeAll(async () => {
    receiver = await startReceiver()
    system = await startTestSystem(await withoutModels({ WEBHOOK_URL: receiver.url }))
    receiver.useSecret(system.app.webhook_secret)
    const api = apiClient(system.url, system.app.api_key)
    const seeded = await seedSessions(api, system.url)
    browser = await launchChromium(executable as string)
    owner = await enrolOwner(browser, system)
    paths = {
      queue: '/apps/:app/queue',
      sessions: '/apps/:app/sessions',
      session: `/apps/:app/sessions/${seeded.amlMatch}`,
      workflows: '/apps/:app/workflows',
      workflow: `/apps/:app/workflows/${seeded.workflowId}`,
      analytics: '/apps/:app/analytics',
      webhooks: '/apps/:app/webhooks',
      'block list': '/apps/:app/block-list',
      keys: '/apps/:app/keys',
      settings: '/apps/:app/settings',
      lists: '/lists',
      audit: '/audit',
      users: '/users',
      account: '/account',
    }
  })
  afterAll(async () => {
    process.stdout.write(`script at first load, gzip: ${sizes.join(', ')}\n`)
    await browser?.close()
    await system?.close()
    await receiver?.close()
  })

  const names = [
    'queue',
    'sessions',
    'session',
    'workflows',
    'workflow',
    'analytics',
    'webhooks',
    'block list',
    'keys',
    'settings',
    'lists',
    'audit',
    'users',
    'account',
  ]

  /** A view may load several parts in parallel. */
  const loaded = () =>
    until(
      () => owner.page.getByText(/^Loading/).count(),
      (count) => count === 0,
    )

  test.each(names)(
    '%s conforms to WCAG 2.2 AA in light and dark and stays within its script budget',
    async (name) => {
      const { page } = owner
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
      const settled = async () => {
        await owner.open(paths[name] ?? '')
        await page.waitForLoadState('networkidle').catch(() => {})
        await loaded()
      }
      const bytes = await scriptBytes(page, settled)
      sizes.push(`${name} ${(bytes / 1024).toFixed(0)} KiB`)
      expect(bytes).toBeGreaterThan(50 * 1024)
      expect(bytes).toBeLessThan(scriptBudget)
      expect(await page.getByRole('alert').count()).toBe(0)
      if (name === 'session') {
        await page.keyboard.press('e')
        await page.locator('figure img:not([aria-busy=true])').waitFor()
      }
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await screenshot(page, `console/${name}-${colorScheme}`)
        expect(await violationsOf(page)).toEqual([])
      }
      expect(owner.problems).toEqual([])
    },
  )

  test.each(names)('%s shows that it is loading and what failed, and recovers on retry', async (name) => {
    const { page } = owner
    const data = /\/console\/api\/(?!me$)/
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(data, async (route) => {
      await held
      await route.fulfill({
        status: 400,
        json: { error: { code: 'bad_request', message: 'not this time' } },
      })
    })
    await page.goto(`${system.url}/console${(paths[name] ?? '').replace(':app', owner.appId)}`)
    await page
      .getByText(/^Loading/)
      .first()
      .waitFor({ state: 'attached' })
    release()
    const failed = page.getByRole('alert').filter({ hasText: 'This could not be loaded' })
    await failed.getByText('Not this time.').first().waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    await until(
      async () => {
        const again = failed.getByRole('button', { name: 'Try again' }).first()
        await again.click({ timeout: 500 }).catch(() => {})
        return failed.count()
      },
      (count) => count === 0,
    )
    expect(owner.problems).toEqual([])
  })

  test('on a tablet nothing overflows horizontally', async () => {
    const { page } = owner
    await page.setViewportSize({ width: 820, height: 1180 })
    for (const name of names) {
      await owner.open(paths[name] ?? '')
      await loaded()
      const overflow = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      )
      expect({ name, overflow }).toEqual({ name, overflow: 0 })
      await screenshot(page, `console/${name}-tablet`)
    }
    expect(owner.problems).toEqual([])
  })

  // Last, because it ends the owner's session.
  test('signing out is in the menu of every view, and ends the session', async () => {
    const { page, context } = owner
    for (const name of names) {
      await owner.open(paths[name] ?? '')
      await page.getByRole('button', { name: /^Your account/ }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
      await page.keyboard.press('Escape')
    }
    const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
    const account = () => fetch(`${system.url}/console/api/me`, { headers: { cookie } })
    expect((await account()).status).toBe(200)
    await page.getByRole('button', { name: /^Your account/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL('**/console/login')
    expect((await account()).status).toBe(401)
  })
})
