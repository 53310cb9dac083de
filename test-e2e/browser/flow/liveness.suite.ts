import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { CreatedSession, WorkflowConfigInput } from '@kyc/common'
import { modelsDir } from '@kyc/testing'
import type { Browser } from 'playwright-core'
import { facePhotos } from '../../support/photos.ts'
import { exampleHolder, specimenPassport } from '../../support/specimen.ts'
import { type Cues, movingHead, type Performance, personBeforeCamera } from './actor.ts'
import { heading, launch } from './harness.ts'
import { personAt } from './person.ts'
import { decisionOf, type FlowWorld, type OpenPage, openLink } from './world.ts'

const photos = modelsDir() === null ? null : facePhotos()
const withPhotos = photos ? describe : describe.skip

/** The announcements of the page, in English. */
const cues: Cues = {
  turn_left: 'Turn your head slowly to your left',
  turn_right: 'Turn your head slowly to your right',
  look_up: 'Look up slowly',
  come_closer: 'Come closer to the camera',
  done: 'Good',
}
const active: WorkflowConfigInput = { steps: { liveness: { mode: 'active' } } }

export function liveness(world: FlowWorld): void {
  if (!photos) process.stdout.write('skipped: active liveness in a browser (no shared data here)\n')
  let browser: Browser
  let person: Performance
  let passport: Buffer
  beforeAll(async () => {
    if (!photos) return
    const [selfie, portrait] = photos.same.map((file) => readFileSync(file)) as [Buffer, Buffer]
    passport = await specimenPassport({ ...exampleHolder, document_number: 'X0Y1Z2G33' }, portrait)
    person = await movingHead(selfie)
    browser = await launch('none')
  })
  afterAll(() => browser?.close())

  /** Completes the flow up to the page about the face; the document comes from a file. */
  async function toFace(before: string | null): Promise<OpenPage & { session: CreatedSession }> {
    const session = await world.harness.session(active)
    const opened = await openLink(world, session, { browser, ...(before === null ? {} : { script: before }) })
    const { page } = opened
    const { begin, consent, chooseDocument, press, say } = personAt(page, 'en', null)
    await begin('phone')
    await consent()
    await chooseDocument()
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'passport.jpg', mimeType: 'image/jpeg', buffer: passport })
    await heading(page, say.checkPhoto)
    await press(say.usePhoto)
    await heading(page, say.face, 60_000)
    return { ...opened, session }
  }

  const livenessOf = async (session: CreatedSession) =>
    (await decisionOf(world, session)).checks.find(({ kind }) => kind === 'liveness')

  withPhotos('movements asked for at random (skipped where photos or models are absent)', () => {
    test('can be done by a person who only hears the instructions, and end in an approval', async () => {
      const { page, session, complaints } = await toFace(personBeforeCamera(person, cues))
      const { submit, result, press, say } = personAt(page, 'en', null)
      await press(say.start)
      await heading(page, 'Movement 1 of 2')
      await heading(page, 'Movement 2 of 2')
      await submit()
      await result("You're verified")
      const check = await livenessOf(session)
      expect(check).toMatchObject({ status: 'passed', data: { method: 'active' } })
      expect(check?.data.completed_actions).toEqual(check?.data.challenge)
      expect(complaints).toEqual([])
      await page.context().close()
    })

    test('cannot be done by a photograph, and a person who cannot do them goes to review', async () => {
      const { page, session } = await toFace(personBeforeCamera(person, cues, false))
      const { submit, result, press, say } = personAt(page, 'en', null)
      await press(say.start)
      await heading(page, "This photo didn't work", 60_000)
      await page.getByText('Follow the instructions one after the other, slowly.').waitFor()
      await page.getByText('2 tries left.').waitFor()
      await press(say.retake)
      await page.getByRole('button', { name: 'Cancel' }).click()
      await press("I can't do this")
      await heading(page, say.checkFace)
      await press(say.usePhoto)
      await submit()
      await result('Thank you. A person will look at this')
      const check = await livenessOf(session)
      expect(check).toMatchObject({ status: 'warning', attempts: 2 })
      expect(check?.warnings.map(({ code }) => code)).toContain('liveness_low_score')
      await page.context().close()
    })

    test('are replaced by one photo if there is no camera, and the session goes to review', async () => {
      const { page, session } = await toFace(null)
      const { submit, result, press, say } = personAt(page, 'en', null)
      await press(say.start)
      await heading(page, 'No camera was found')
      const selfie = Buffer.from(person.straight, 'base64')
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer: selfie })
      await heading(page, say.checkFace)
      await press(say.usePhoto)
      await submit()
      await result('Thank you. A person will look at this')
      expect(await livenessOf(session)).toMatchObject({ status: 'warning' })
      await page.context().close()
    })
  })
}
