import { describe, expect, test } from '@jest/globals'
import type { AdvanceTarget, CreatedSession } from '@kyc/common'
import { heading, linkOf, openContext } from './harness.ts'
import { inspect } from './inspect.ts'
import { type FlowWorld, openLink, query, scenario } from './world.ts'

export function links(world: FlowWorld): void {
  /** Moves a test session to the state it would reach by itself, without a person in front of the camera. */
  async function advance({ session_id }: CreatedSession, to: AdvanceTarget): Promise<void> {
    const answer = await world.harness.api.post(`/v1/test/sessions/${session_id}/advance`, { to })
    expect(answer.status).toBe(200)
  }

  describe('a link', () => {
    test('that was never issued says so, in the language of the reader, and answers 404', async () => {
      const context = await openContext(world.browser, { locale: 'es-MX' })
      const page = await context.newPage()
      const answer = await page.goto(`${world.harness.system.url}/flow/not-a-token-of-anybody`)
      expect(answer?.status()).toBe(404)
      expect(answer?.headers()['content-security-policy']).toContain("default-src 'none'")
      await heading(page, 'Este enlace no es válido')
      await inspect(page, 'phone-es-link-unknown')
      await context.close()
    })

    // Refused consent is the only automatic decline, so no scenario may be set.
    const ways: Partial<Record<AdvanceTarget, object>> = { in_review: scenario('aml_match'), declined: {} }
    test.each<[AdvanceTarget, string | RegExp]>([
      ['expired', 'This link has expired'],
      ['abandoned', 'This link has expired'],
      ['approved', "You're verified"],
      ['in_review', 'Thank you. A person will look at this'],
      ['declined', "We couldn't verify you"],
    ])('of a session that is %s says so, and opens no step', async (status, title) => {
      const session = await world.harness.session({}, ways[status] ?? scenario('approved'))
      await advance(session, status)
      const { context, page } = await openLink(world, session)
      await heading(page, title)
      await inspect(page, `phone-en-link-${status}`)
      expect(await page.getByRole('button', { name: 'Start' }).count()).toBe(0)
      await context.close()
    })

    test('that was cancelled by the client explains where to get another', async () => {
      const session = await world.harness.session()
      expect((await world.harness.api.delete(`/v1/sessions/${session.session_id}`)).status).toBe(204)
      const { context, page } = await openLink(world, session)
      await heading(page, 'This link has expired')
      await context.close()
    })

    test('of a person who does not consent ends there, and shows that when it is reopened', async () => {
      const session = await world.harness.session({}, scenario('approved'))
      const { context, page } = await openLink(world, session)
      const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
      await press('Start')
      await press("I don't agree")
      await page.getByRole('dialog', { name: 'Stop the verification?' }).waitFor()
      await inspect(page, 'phone-en-consent-refuse')
      await page.keyboard.press('Escape')
      await press("I don't agree")
      await press('Stop the verification')
      await heading(page, 'The verification was stopped')
      await inspect(page, 'phone-en-refused-consent')
      await page.reload()
      await heading(page, "We couldn't verify you")
      await context.close()
    })

    test('opened without JavaScript explains what it needs', async () => {
      const session = await world.harness.session()
      const { context, page } = await openLink(world, session, { context: { javaScriptEnabled: false } })
      await heading(page, 'This page needs JavaScript')
      await context.close()
    })

    test('opened in a browser without module support explains what it needs, in every language', async () => {
      const session = await world.harness.session()
      const context = await openContext(world.browser)
      const page = await context.newPage()
      // Such a browser ignores modules and runs scripts marked `nomodule`.
      await page.route('**/flow-assets/*.js', (route) =>
        route.request().url().endsWith('/no-modules.js') ? route.continue() : route.abort(),
      )
      await page.goto(linkOf(world.harness, session))
      await page.addScriptTag({ url: '/flow-assets/no-modules.js' })
      await heading(page, 'This page needs a newer browser')
      expect(await page.locator('#unsupported [lang]').count()).toBe(6)
      await context.close()
    })

    test('to an unavailable server explains that nothing is lost, and loads on retry', async () => {
      const session = await world.harness.session()
      const context = await openContext(world.browser)
      const page = await context.newPage()
      let away = true
      await page.route('**/state', (route) =>
        away ? route.fulfill({ status: 429, json: { error: { code: 'rate_limited' } } }) : route.continue(),
      )
      // The browser waits between the retries, so the test advances its clock.
      await page.clock.install()
      await page.goto(linkOf(world.harness, session))
      const title = page.getByRole('heading', { level: 1, name: 'The page could not be loaded' })
      for (let waits = 0; waits < 20 && !(await title.isVisible()); waits++) {
        await page.clock.fastForward(20_000)
        await title.waitFor({ timeout: 500 }).catch(() => {})
      }
      await inspect(page, 'phone-en-load-failed')
      away = false
      await page.getByRole('button', { name: 'Try again' }).click()
      await heading(page, 'Verify your identity')
      await context.close()
    })
  })

  describe('a link for the phone', () => {
    const handOver = async (session: CreatedSession) => {
      const made = await fetch(`${linkOf(world.harness, session)}/handoff`, { method: 'POST' })
      const { url, code } = (await made.json()) as { url: string; code: string }
      return { link: `${world.harness.system.url}${new URL(url).pathname}`, code }
    }

    test('that is older than ten minutes says so', async () => {
      const session = await world.harness.session()
      const { link } = await handOver(session)
      // The test cannot wait ten minutes.
      const older =
        "UPDATE flow.handoff SET expires_at = expires_at - interval '10 minutes' WHERE session_id = $1"
      await query(world, older, [session.session_id])
      const { context, page } = await openLink(world, session, { link })
      await heading(page, 'This link for your phone has expired')
      await inspect(page, 'phone-en-handoff-expired')
      await context.close()
    })

    test('is renewed on the computer if nobody opened it within ten minutes', async () => {
      const session = await world.harness.session()
      const context = await openContext(world.browser, { device: 'desktop' })
      const page = await context.newPage()
      await page.clock.install()
      await page.goto(linkOf(world.harness, session))
      await page.getByRole('button', { name: 'Continue on my phone' }).click()
      await page.getByText('Valid for 10 minutes.').waitFor()
      const code = await page.locator('.code').textContent()
      await page.clock.fastForward('11:00')
      await page.getByText('This link has expired.').waitFor()
      await inspect(page, 'desktop-en-handoff-over')
      await page.clock.setSystemTime(Date.now())
      await page.getByRole('button', { name: 'Make a new link' }).click()
      await page.getByText('Valid for 10 minutes.').waitFor()
      expect(await page.locator('.code').textContent()).not.toBe(code)
      await context.close()
    })

    test('accepts five codes at most, and then rejects the right one too', async () => {
      const session = await world.harness.session()
      const { link, code } = await handOver(session)
      const { context, page } = await openLink(world, session, { link })
      const wrong = code === '111111' ? '222222' : '111111'
      const type = async (digits: string) => {
        await page.getByLabel('Code on your computer').fill(digits)
        await page.getByRole('button', { name: 'Continue' }).click()
      }
      for (let tries = 1; tries < 5; tries++) {
        const answered = page.waitForResponse((response) => response.url().endsWith('/start'))
        await type(wrong)
        expect((await answered).status()).toBe(409)
        await page.getByText('That code is not right.', { exact: false }).waitFor()
      }
      await type(wrong)
      await heading(page, 'This link was already used')
      await inspect(page, 'phone-en-handoff-used')
      await page.reload()
      await heading(page, 'This link was already used')
      await context.close()
    })
  })

  describe('a link opened from an address from which others guess', () => {
    test('shows a page with a retry button if it was never issued, and opens if it is valid', async () => {
      const guess = () => fetch(`${world.harness.system.url}/flow/nobody-issued-this-${Math.random()}/state`)
      let status = 404
      for (let guesses = 0; guesses < 30 && status === 404; guesses++) status = (await guess()).status
      expect(status).toBe(429)

      const context = await openContext(world.browser, { locale: 'es-MX' })
      const page = await context.newPage()
      const answer = await page.goto(`${world.harness.system.url}/flow/not-a-token-of-anybody`)
      expect(answer?.status()).toBe(429)
      expect(Number(answer?.headers()['retry-after'])).toBeGreaterThan(0)
      expect(answer?.headers()['content-security-policy']).toContain("default-src 'none'")
      await heading(page, 'No se pudo cargar la página')
      await page.getByText('Espera un minuto', { exact: false }).waitFor()
      await inspect(page, 'phone-es-link-limited')
      await context.close()

      const session = await world.harness.session()
      const person = await openLink(world, session)
      await heading(person.page, 'Verify your identity')
      await person.context.close()
    })
  })
}
