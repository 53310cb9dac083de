import { describe, expect, test } from '@jest/globals'
import { until } from '../../support/until.ts'
import { heading } from './harness.ts'
import { inspect } from './inspect.ts'
import { type FlowWorld, openLink } from './world.ts'

export function mail(world: FlowWorld): void {
  describe('a code by mail', () => {
    test('survives a mail server outage, arrives in the language of the person, and can be pasted', async () => {
      const { mail: server } = world.harness
      const session = await world.harness.liveSession(
        { steps: { email: { enabled: true, required: true } } },
        { contact: { email: 'erika@example.org' } },
      )
      const { context, page } = await openLink(world, session, { locale: 'es-MX' })
      const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
      await press('Empezar')
      await press('Acepto y continúo')
      await heading(page, 'Tu correo electrónico')
      const address = page.getByRole('textbox')
      expect(await address.inputValue()).toBe('erika@example.org')
      await address.fill('erika')
      await press('Enviar el código')
      // The error is associated with its field, so that a screen reader announces both together.
      expect(await address.getAttribute('aria-invalid')).toBe('true')
      const error = page.locator(`[id="${await address.getAttribute('aria-describedby')}"]`)
      await error.waitFor()
      await inspect(page, 'phone-es-3-mail-invalid')
      await address.fill('erika@example.org')

      server.setAccepting(false)
      await press('Enviar el código')
      await page.getByRole('alert').getByText('No se pudo enviar', { exact: false }).waitFor()
      await inspect(page, 'phone-es-3-mail-down')
      server.setAccepting(true)
      await press('Enviar el código')
      await heading(page, 'Escribe el código')
      const [received] = await until(
        async () => server.mails,
        (mails) => mails.length > 0,
      )
      expect(received?.to).toBe('erika@example.org')
      const [head, ...body] = (received?.raw ?? '').split('\r\n\r\n')
      expect(head).toContain('Subject: ')
      const code = body.join('\n').match(/\b\d{6}\b/)?.[0] ?? ''
      const field = page.getByRole('textbox')
      expect(await field.getAttribute('autocomplete')).toBe('one-time-code')
      await field.focus()
      // As a paste or a phone's autofill: the whole code at once, without pressing anything after it.
      await page.keyboard.insertText(code)
      await heading(page, 'Elige tu documento')
      await context.close()
    })

    test('can be resent after a minute, no matter how long the page was in the background', async () => {
      const session = await world.harness.session(
        { steps: { email: { enabled: true } } },
        { contact: { email: 'erika@example.org' } },
      )
      const { context, page } = await openLink(world, session, { clock: true })
      const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
      await press('Start')
      await press('I agree and continue')
      await press('Send the code')
      await page.getByText(/^You can send a new code in \d+ seconds\.$/).waitFor()
      await inspect(page, 'phone-en-3-code')
      await page.clock.fastForward('01:01')
      await page.getByRole('button', { name: 'Send a new code' }).waitFor()
      await page.getByRole('status').getByText('You can send a new code now.').waitFor()
      await context.close()
    })
  })
}
