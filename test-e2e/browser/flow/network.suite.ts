import { describe, expect, test } from '@jest/globals'
import type { CreatedSession } from '@kyc/common'
import type { BrowserContext, Page } from 'playwright-core'
import { type FirstLoad, measureFirstLoad } from './figures.ts'
import { type FlakyProxy, startFlakyProxy } from './flaky-proxy.ts'
import { heading, linkOf } from './harness.ts'
import { inspect } from './inspect.ts'
import { personAt } from './person.ts'
import { decisionOf, type FlowWorld, openLink, query, scenario } from './world.ts'

export function network(world: FlowWorld): void {
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

  async function chooseFile(page: Page): Promise<void> {
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'passport.jpg', mimeType: 'image/jpeg', buffer: world.passport })
    await heading(page, 'Can you read everything?')
  }

  async function toPrepare(page: Page): Promise<void> {
    const { begin, consent, chooseDocument } = personAt(page, 'en', null)
    await begin('phone')
    await consent()
    await chooseDocument()
  }

  /** 400 kbit/s up and down. */
  async function slowDown(context: BrowserContext, page: Page): Promise<void> {
    const devtools = await context.newCDPSession(page)
    await devtools.send('Network.enable')
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 200,
      downloadThroughput: 50_000,
      uploadThroughput: 50_000,
    })
  }

  const linkThrough = (proxy: FlakyProxy, session: CreatedSession) =>
    `${proxy.url}/flow/${session.session_token}`
  const attemptsOf = async ({ session_id }: CreatedSession) =>
    (await query(world, 'SELECT step, attempts_used FROM flow.flow_step WHERE session_id = $1', [session_id]))
      .map(({ step, attempts_used }) => `${step} ${attempts_used}`)
      .sort()

  describe('a network', () => {
    test('that breaks in the middle of every photo, and is down for a while, costs no attempt and no photo', async () => {
      const proxy = await startFlakyProxy(world.harness.system.url)
      const session = await world.harness.session({}, scenario('approved'))
      const { context, page } = await openLink(world, session, { link: linkThrough(proxy, session) })
      const person = personAt(page, 'en', null)
      await toPrepare(page)
      await chooseFile(page)

      // The document: interrupted three times. The page may not notice the first one, because browsers retry
      // themselves.
      proxy.breakAfter(20_000, 3)
      await press(page, 'Use this photo')
      const waiting = page.getByText('No connection. Your photo is kept here', { exact: false }).first()
      await waiting.waitFor()
      await heading(page, 'Now your face', 60_000)
      expect(proxy.broken()).toBe(3)

      // The face: first offline for a while, then interrupted once more.
      await world.camera.show(world.scenes.face)
      await press(page, 'Start')
      await heading(page, 'Is your face clear?')
      await context.setOffline(true)
      await page.getByText('No connection. What you did is kept', { exact: false }).waitFor()
      await press(page, 'Use this photo')
      await waiting.waitFor()
      await inspect(page, 'phone-en-offline')
      proxy.breakAfter(20_000, 1)
      await context.setOffline(false)
      await person.submit()
      await person.result("You're verified")
      expect(proxy.broken()).toBe(4)
      expect(await attemptsOf(session)).toEqual(['consent 0', 'document 0', 'liveness 0'])
      expect(await decisionOf(world, session)).toMatchObject({ status: 'approved' })
      await context.close()
      await proxy.close()
    })

    test('that loses the answer to a photo charges the attempt once', async () => {
      const session = await world.harness.session({}, scenario('document_blurry'))
      const { context, page } = await openLink(world, session)
      await toPrepare(page)
      await chooseFile(page)
      let sent = 0
      await page.route('**/document', async (route) => {
        sent += 1
        if (sent > 1) return route.continue()
        // The photo arrived and was assessed, but the response was lost.
        await route.fetch()
        await route.abort('connectionreset')
      })
      await press(page, 'Use this photo')
      await heading(page, "This photo didn't work", 60_000)
      await page.getByText('2 tries left.').waitFor()
      await inspect(page, 'phone-en-refused')
      expect(sent).toBe(2)
      await context.close()
    })

    test('that is slow shows the progress; the last attempt is accepted with its warnings', async () => {
      const session = await world.harness.session(
        { steps: { document: { max_attempts: 1 } } },
        scenario('document_blurry'),
      )
      const { context, page } = await openLink(world, session)
      await toPrepare(page)
      await chooseFile(page)
      await slowDown(context, page)
      await press(page, 'Use this photo')
      await page.getByText(/^\d+ % sent$/).waitFor()
      await page.getByRole('progressbar', { name: 'Sending' }).waitFor()
      await heading(page, 'We kept this photo. A person may check it.', 60_000)
      await inspect(page, 'phone-en-kept')
      await press(page, 'Continue')
      await heading(page, 'Now your face')
      await context.close()
    })

    test('with slow 3G loads the first page within 3 s and 60 KB of script', async () => {
      const link = linkOf(world.harness, await world.harness.session())
      const tell = (figures: FirstLoad, processor: string) =>
        process.stdout.write(
          `hosted flow, first load on slow 3G (400 kbit/s, 400 ms), ${processor}: ${figures.scriptBytes} bytes of script compressed, ` +
            `${figures.totalBytes} in all; first paint ${figures.firstPaintMs} ms, largest ${figures.largestPaintMs} ms, ` +
            `usable after ${figures.usableMs} ms, blocked ${figures.blockedMs} ms, layout shift ${figures.layoutShift}\n`,
        )
      let best: FirstLoad | undefined
      // Other load on the machine can only lengthen the time, so the best of up to three measurements counts.
      for (let tries = 0; tries < 3 && (best === undefined || best.usableMs >= 3_000); tries++) {
        const figures = await measureFirstLoad(world.browser, link, 1)
        if (best === undefined || figures.usableMs < best.usableMs) best = figures
      }
      const { scriptBytes, usableMs, layoutShift } = best!
      tell(best!, 'this processor')
      // A phone some years old. Reported but not asserted, because other load on the machine would count four times.
      tell(await measureFirstLoad(world.browser, link, 4), 'one four times slower')
      expect(scriptBytes).toBeLessThan(60_000)
      expect(usableMs).toBeLessThan(3_000)
      expect(layoutShift).toBeLessThan(0.1)
    })
  })
}
