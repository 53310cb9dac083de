import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { modelsDir, sharedDir } from '@kyc/testing'
import { facePhotos } from '../../support/photos.ts'
import { exampleHolder, specimenPassport } from '../../support/specimen.ts'
import { access } from './access.suite.ts'
import { documentScene, faceScene } from './camera.ts'
import { chromiumPath, heading, openContext } from './harness.ts'
import { inspect } from './inspect.ts'
import { personAt } from './person.ts'
import { decisionOf, openLink, scenario, useFlowWorld } from './world.ts'

const photos = facePhotos()
const complete =
  photos !== null &&
  modelsDir() !== null &&
  sharedDir('data', 'sanctions', 'lists', 'ofac_2024-05-03') !== null
const inBrowser = chromiumPath ? describe : describe.skip
const withFaces = chromiumPath && complete ? test : test.skip
if (chromiumPath && !complete)
  process.stdout.write('skipped: the journey with real faces (no shared data here)\n')

const world = useFlowWorld('X0Y1Z2F11')

inBrowser('a person with a phone', () => {
  withFaces('photographs document and face, and is approved', async () => {
    const [selfie, portrait] = (photos?.same ?? []).map((file) => readFileSync(file))
    await world.camera.show(await documentScene(await specimenPassport(exampleHolder, portrait)))
    const session = await world.harness.session()
    const { context, page, complaints } = await openLink(world, session)
    // No screenshots of these photos, because they show real people.
    const { press, say } = personAt(page, 'en', null)
    await press(say.start)
    await press(say.agree)
    await page.getByRole('radio', { name: say.passport, exact: true }).check()
    await page.getByLabel(say.country).selectOption('')
    await press(say.goOn)
    await press(say.openCamera)
    // Sharp, still and in the frame, so the photo is taken automatically.
    await heading(page, say.checkPhoto, 20_000)
    await press(say.usePhoto)
    await heading(page, say.face, 60_000)
    await world.camera.show(await faceScene(selfie as Buffer))
    await press(say.start)
    await page.waitForSelector('button.shutter[aria-disabled="false"], .photo')
    await page
      .getByRole('button', { name: say.takePhoto })
      .click({ timeout: 2_000 })
      .catch(() => {})
    await heading(page, say.checkFace)
    await press(say.usePhoto)
    await heading(page, say.review, 60_000)
    let goOn = () => {}
    const looked = new Promise<void>((resume) => {
      goOn = resume
    })
    await page.route('**/changes*', (route) => looked.then(() => route.continue()))
    await press(say.send)
    await heading(page, 'Checking your details')
    await inspect(page, 'phone-en-12-processing')
    goOn()
    await heading(page, "You're verified", 60_000)
    expect(await decisionOf(world, session)).toMatchObject({ status: 'approved' })
    expect(complaints).toEqual([])
    await context.close()
  })

  test('sees every page in Arabic, from right to left, without an accessibility violation', async () => {
    await world.camera.show(world.scenes.document)
    const session = await world.harness.session({}, scenario('approved'))
    const { context, page, complaints } = await openLink(world, session, { locale: 'ar-EG', dark: true })
    const person = personAt(page, 'ar', 'phone-ar-dark')
    await person.begin('phone')
    expect(await page.evaluate('[document.documentElement.dir, document.documentElement.lang]')).toEqual([
      'rtl',
      'ar',
    ])
    await heading(page, person.say.consent)
    // The consent text is in their language too.
    await page.getByText('أوافق على معالجة وثيقة هويتي', { exact: false }).waitFor()
    await person.consent()
    await person.chooseDocument()
    await person.photograph('shutter')
    await world.camera.show(world.scenes.face)
    await person.face()
    await person.submit()
    await person.result('تم التحقق من هويتك')
    expect(await decisionOf(world, session)).toMatchObject({ status: 'approved' })
    expect(complaints).toEqual([])
    await context.close()
  })

  test('goes to review, and is sent back to the client with a signed hint', async () => {
    await world.camera.show(world.scenes.document)
    const session = await world.harness.session(
      {},
      { ...scenario('aml_match'), callback_url: `${world.harness.system.url}/health` },
    )
    const { context, page } = await openLink(world, session)
    const person = personAt(page, 'en', 'phone-en')
    await person.begin('phone')
    await person.consent()
    await person.chooseDocument()
    await person.photograph('itself')
    await world.camera.show(world.scenes.face)
    await person.face()
    await person.submit()
    await person.result('Thank you. A person will look at this')
    expect(await decisionOf(world, session)).toMatchObject({ status: 'in_review' })
    await person.press('Stay here')
    const back = new URL((await page.getByRole('link', { name: /Return to/ }).getAttribute('href')) ?? '')
    expect(back.searchParams.get('status')).toBe('in_review')
    expect(back.searchParams.get('session_id')).toBe(session.session_id)
    expect(back.searchParams.get('result_token')).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
    await context.close()
  })
})

inBrowser('a person at a computer', () => {
  test('confirms the e-mail address in French, closes the page, and continues at the same step on another device', async () => {
    await world.camera.show(world.scenes.document)
    const session = await world.harness.session(
      { steps: { email: { enabled: true } } },
      { ...scenario('approved'), contact: { email: 'erika@example.org' } },
    )
    const { context: first, page } = await openLink(world, session, { device: 'desktop', locale: 'fr-FR' })
    await heading(page, 'Vérifiez votre identité')
    await inspect(page, 'desktop-fr-1-welcome')
    await page.getByRole('button', { name: 'Rester sur cet ordinateur' }).click()
    await page.getByRole('button', { name: "J'accepte et je continue" }).click()
    await heading(page, 'Votre adresse e-mail')
    expect(await page.getByLabel('Adresse e-mail').inputValue()).toBe('erika@example.org')

    // A test app's code is known and needs no mail.
    await page.getByRole('button', { name: 'Envoyer le code' }).click()
    await heading(page, 'Saisissez le code')
    await inspect(page, 'desktop-fr-3-code')
    await page.getByLabel('Code à 6 chiffres').fill('123456')
    await page.getByText("Ce code n'est pas le bon.").waitFor()
    await first.close()

    // The same link on another device resumes at the exact step, without requesting the address again.
    const { context: second, page: resumed } = await openLink(world, session, { locale: 'en-US' })
    await heading(resumed, 'Saisissez le code')
    await resumed.getByRole('combobox', { name: 'Langue' }).selectOption('en')
    await heading(resumed, 'Enter the code')
    await resumed.getByLabel('Code of 6 digits').fill('000000')
    await heading(resumed, 'Choose your document')
    await second.close()
  })

  test('hands over to a phone, shows its progress live, and ends with its result', async () => {
    await world.camera.show(world.scenes.document)
    const session = await world.harness.session({}, scenario('approved'))
    const { context: home, page: desktop } = await openLink(world, session, { device: 'desktop' })
    await desktop.getByRole('button', { name: 'Continue on my phone' }).click()
    await desktop.getByRole('img', { name: 'QR code with the link for your phone' }).waitFor()
    await inspect(desktop, 'desktop-en-handoff')
    const code = ((await desktop.locator('.code').textContent()) ?? '').replace(/\D/g, '')
    // The text that the copy button would put in the clipboard, because the test browser has none.
    await desktop.evaluate(`Object.defineProperty(navigator, 'clipboard', {
      value: { writeText: async (text) => { document.body.dataset.copied = text } },
    })`)
    await desktop.getByRole('button', { name: 'Copy the link' }).click()
    const url = new URL((await desktop.locator('body').getAttribute('data-copied')) ?? '')
    const link = `${world.harness.system.url}${url.pathname}`

    const phoneContext = await openContext(world.browser)
    const phone = await phoneContext.newPage()
    await phone.goto(link)
    await heading(phone, 'Continue on this phone')
    await inspect(phone, 'phone-en-handoff-code')
    await phone.getByLabel('Code on your computer').fill(code === '111111' ? '222222' : '111111')
    await phone.getByRole('button', { name: 'Continue' }).click()
    await phone.getByText('That code is not right.', { exact: false }).waitFor()
    await phone.getByLabel('Code on your computer').fill(code)
    await phone.getByRole('button', { name: 'Continue' }).click()
    await heading(desktop, 'Your phone is connected')
    await inspect(desktop, 'desktop-en-handoff-connected')

    // The link now belongs to the phone only.
    const stranger = await (await openContext(world.browser)).newPage()
    expect((await stranger.goto(link))?.status()).toBe(404)
    await heading(stranger, 'This link was already used')

    const person = personAt(phone, 'en', null)
    await person.consent()
    await desktop.locator('.done-list li', { hasText: 'Consent' }).getByText('done').waitFor()
    await person.chooseDocument()
    await person.photograph('itself')
    await world.camera.show(world.scenes.face)
    await person.face()
    await person.submit()
    await heading(phone, "You're verified", 60_000)
    await heading(desktop, "You're verified", 60_000)
    await stranger.context().close()
    await phoneContext.close()
    await home.close()
  })
})

inBrowser('the hosted flow', () => access(world))
