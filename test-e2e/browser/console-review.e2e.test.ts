import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { CreatedSession, Decision, FlowState } from '@kyc/common'
import type { Browser, Page } from 'playwright-core'
import { type Api, apiClient } from '../support/api.ts'
import { person } from '../support/journey.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { startTestSystem, type TestSystem } from '../support/system.ts'
import { until } from '../support/until.ts'
import { chromiumPath, launchChromium } from './support/chromium.ts'
import { type Console, enrolOwner, joinTeam } from './support/console.ts'
import { advanceScenario, submitScenario, withoutModels } from './support/seed.ts'

const executable = chromiumPath()
const inBrowser = executable === null ? describe.skip : describe

inBrowser('a reviewer at work', () => {
  let system: TestSystem
  let receiver: Receiver
  let browser: Browser
  let reviewer: Console
  let page: Page
  let api: Api
  let waiting: string

  beforeAll(async () => {
    receiver = await startReceiver()
    system = await startTestSystem(await withoutModels({ WEBHOOK_URL: receiver.url }))
    receiver.useSecret(system.app.webhook_secret)
    api = apiClient(system.url, system.app.api_key)
    waiting = await submitScenario(api, system.url, 'aml_match', { vendor_data: 'customer-17' })
    browser = await launchChromium(executable as string)
    reviewer = await enrolOwner(browser, system)
    page = reviewer.page
  })
  afterAll(async () => {
    await browser?.close()
    await system?.close()
    await receiver?.close()
  })

  const shows = (text: string | RegExp) => page.getByText(text).filter({ visible: true }).first().waitFor()
  const decisionOf = async (id: string) => (await api.get<Decision>(`/v1/sessions/${id}/decision`)).body

  const openSession = async (id: string, who = reviewer) => {
    await who.open(`/apps/:app/sessions/${id}`)
    await who.page.getByRole('heading', { level: 1, name: id }).waitFor()
  }

  test('takes a session from the queue to its decision by keyboard alone', async () => {
    const { keyboard } = page
    await page.getByRole('row').nth(1).waitFor()
    await keyboard.press('j')
    await keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: waiting }).waitFor()

    // The evidence is shown on request, and each view is audited.
    await keyboard.press('e')
    const picture = page.getByRole('img', { name: 'Document front' })
    await page.locator('figure img:not([aria-busy=true])').waitFor()
    await keyboard.press('z')
    expect(await picture.getAttribute('style')).toContain('200%')
    await keyboard.press(']')
    await page.getByRole('img', { name: 'Liveness frame' }).waitFor()

    // Approval is disabled until the sanctions match has a verdict.
    await keyboard.press('a')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await keyboard.press('m')
    await keyboard.press('2')
    await shows('All have a verdict')

    await keyboard.press('n')
    await keyboard.type('Other year of birth than the listed person.')
    await keyboard.press('Control+Enter')
    await page.getByRole('listitem').filter({ hasText: 'Other year of birth' }).waitFor()
    await keyboard.press('Escape')

    await keyboard.press('i')
    await shows('Held by me')
    await keyboard.press('a')
    await page.getByRole('dialog', { name: 'Approve this session' }).waitFor()
    await keyboard.type('Checked against the list entry.')
    await keyboard.press('Control+Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await shows('Approved')

    const decision = await decisionOf(waiting)
    expect(decision).toMatchObject({
      status: 'approved',
      review: { note: 'Checked against the list entry.' },
    })
    expect(decision.review?.reviewed_by).not.toBeNull()
    await receiver.until(({ data }) => data.session_id === waiting && data.status === 'approved')

    await keyboard.press('g')
    await keyboard.press('q')
    await page.getByRole('heading', { level: 1, name: 'Queue' }).waitFor()
    await shows('Nothing is waiting')
  })

  test('sees new sessions without reloading the page, and takes the one that waits longest', async () => {
    const first = await advanceScenario(api, 'face_mismatch')
    await page.getByRole('row').nth(1).waitFor()
    await advanceScenario(api, 'document_expired')
    await page.getByRole('button', { name: 'Show 1 new' }).click()
    expect(await page.getByRole('row').count()).toBe(3)
    await page.keyboard.press('t')
    await page.getByRole('heading', { level: 1, name: first }).waitFor()
    await shows('Held by me')
  })

  test('the loser of a conflict is told the name of the other reviewer, and sees the current session', async () => {
    const ana = { name: 'Ana Duarte', email: 'ana@example.com', role: 'reviewer' }
    const colleague = await joinTeam(browser, system, reviewer, ana)
    const id = await advanceScenario(api, 'liveness_failed')
    await openSession(id)
    await page.keyboard.press('d')
    const dialog = page.getByRole('dialog', { name: 'Decline this session' })
    await dialog.getByLabel('Reason').selectOption('liveness_failed')

    await openSession(id, colleague)
    await colleague.page.keyboard.press('a')
    await colleague.page.getByRole('dialog', { name: 'Approve this session' }).waitFor()
    await colleague.page.keyboard.press('Control+Enter')
    await colleague.page.getByText('Approved').filter({ visible: true }).first().waitFor()
    expect(colleague.problems).toEqual([])
    await colleague.close()

    const refused = page.waitForResponse((answer) => answer.url().endsWith(`${id}/decision`))
    await dialog.getByLabel('Note').press('Control+Enter')
    expect((await refused).status()).toBe(409)
    const conflict = page.getByRole('dialog', { name: 'Somebody was faster' })
    await conflict.getByRole('alert').getByText('Ana Duarte approved this session').waitFor()
    await page.keyboard.press('Enter')
    await conflict.waitFor({ state: 'detached' })
    await shows('Approved')
    expect((await decisionOf(id)).status).toBe('approved')
  })

  test('changes a workflow while a session runs: the session keeps its version, the next one has the new one', async () => {
    const create = async () => (await api.post<CreatedSession>('/v1/sessions', {})).body
    const steps = async (session: CreatedSession) =>
      (await person(system.url, session).state()).steps.map(({ key }: FlowState['steps'][number]) => key)
    const running = await create()
    const before = await steps(running)
    expect(before).not.toContain('email')

    await reviewer.open('/apps/:app/workflows')
    await page.getByRole('link', { name: 'Default' }).click()
    await page.getByRole('region', { name: 'E-mail' }).getByLabel('On').check()
    await page
      .getByRole('region', { name: 'Liveness' })
      .getByLabel('Passes from', { exact: true })
      .fill('0.4')
    await page.getByRole('button', { name: 'Review and save' }).click()
    // The contract's own message, at the field that it concerns.
    await shows('must not exceed steps.liveness.pass')
    await page
      .getByRole('region', { name: 'Liveness' })
      .getByLabel('Passes from', { exact: true })
      .fill('0.9')
    await page.getByRole('button', { name: 'Review and save' }).click()
    const dialog = page.getByRole('dialog', { name: 'What changes' })
    await dialog.getByText('steps.email.enabled').waitFor()
    await dialog.getByText('steps.liveness.pass').waitFor()
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { level: 1 }).getByText('Version 2').waitFor()

    expect(await steps(running)).toEqual(before)
    expect(await steps(await create())).toContain('email')
  })

  test('simulates which past decisions would differ, and changes nothing', async () => {
    // Checks that did not run then cannot be simulated, so the new step is removed again.
    await page.getByRole('region', { name: 'E-mail' }).getByLabel('On').uncheck()
    await page.getByLabel('Decline by itself when a check fails').check()
    await page.getByRole('button', { name: 'Simulate on past sessions' }).click()
    const outcome = page.getByText(/outcomes change\.$/)
    await outcome.waitFor()
    expect(await outcome.textContent()).toMatch(/^[1-9]\d* of [1-9]\d* outcomes change\.$/)
    await page.getByRole('table', { name: /outcome would differ/ }).waitFor()
    const { body } = await api.get<{ total: number }>('/v1/sessions?status=declined')
    expect(body.total).toBe(0)
  })

  test('purges a session: the evidence is gone, and the page reports it', async () => {
    await openSession(waiting)
    await page.keyboard.press('e')
    const image = page.getByRole('img', { name: 'Document front' })
    const address = new URL((await image.getAttribute('src')) ?? '', system.url).href
    expect((await page.request.get(address)).status()).toBe(200)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Purge…' }).click()
    await page.getByRole('button', { name: 'Purge for good' }).click()
    await shows('Purged. No picture of this session is left.')
    const confirmed = page.getByText('Every service confirmed')
    await until(
      async () => {
        await page.getByRole('button', { name: 'Look again' }).click()
        return confirmed.count()
      },
      (count) => count > 0,
    )
    expect((await page.request.get(address)).status()).toBe(404)
    expect((await decisionOf(waiting)).identity.full_name).toBeNull()
  })

  test('left no error in the browser', () => {
    expect(reviewer.problems).toEqual([])
  })
})
