import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createModelStore, silentLogger } from '@kyc/runtime'
import { modelsDir, sharedDir } from '@kyc/testing'
import { turnedPhoto, type View } from '../../test/turned-photo.ts'
import type { ChallengeAction } from '../domain/challenge.ts'
import { judgeLiveness } from '../domain/judge-liveness.ts'
import type { ObservedFrame } from '../domain/observed-frame.ts'
import { FaceEngine } from './face-engine.ts'
import { observeFrame } from './observe-frame.ts'

const faces = sharedDir('data', 'faces')
const models = modelsDir()
const measured = faces && models ? describe : describe.skip

/** Actions that a warped photo can simulate; simulating a head that looks up is too inaccurate. */
const views = {
  turn_left: [{ yaw: 16 }, { yaw: 34 }],
  turn_right: [{ yaw: -16 }, { yaw: -34 }],
  come_closer: [{ closer: 1.2 }, { closer: 1.45 }],
} satisfies Partial<Record<ChallengeAction, readonly View[]>>
type Drawn = keyof typeof views
const challenges: [Drawn, Drawn][] = [
  ['turn_left', 'turn_right'],
  ['turn_right', 'come_closer'],
  ['come_closer', 'turn_left'],
]

measured('frames made of real photos (skipped where photos or models are absent)', () => {
  const photo = (file: string) => readFileSync(join(faces!, file))
  const one = 'deepface/tests/unit/dataset/img53.jpg'
  const another = 'deepface/tests/unit/dataset/img8.jpg'
  /** A photo of a person on a screen. */
  const screen = 'liveness/image_F2.jpg'
  const seen = new Map<string, Promise<ObservedFrame>>()
  let engine: FaceEngine

  beforeAll(() => {
    const store = createModelStore({ directory: models!, logger: silentLogger })
    engine = new FaceEngine({ resolveModel: store.resolve })
  })
  afterAll(() => engine.close())

  function frame(file: string, view: View): Promise<ObservedFrame> {
    const key = `${file} ${JSON.stringify(view)}`
    const made = async () => (await observeFrame(engine, await turnedPhoto(engine, photo(file), view))).frame
    const known = seen.get(key) ?? made()
    seen.set(key, known)
    return known
  }
  /** The photo's person looks at the camera, then performs the actions, in two frames each. */
  const sequence = (file: string, asked: readonly Drawn[], flat = false) =>
    Promise.all(
      [{}, ...asked.flatMap((action): readonly View[] => views[action])].map((view) =>
        frame(file, flat ? { ...view, flat } : view),
      ),
    )

  test.each(challenges)('pass if a person performs the actions: %s, then %s', async (...asked) => {
    const { score, failures } = judgeLiveness(asked, await sequence(one, asked))
    expect(failures).toEqual([])
    expect(score).toBeGreaterThan(0.9)
  })

  test.each(challenges)(
    'fail if the actions %s and %s are performed in the wrong order',
    async (first, second) => {
      const { score, failures } = judgeLiveness([second, first], await sequence(one, [first, second]))
      expect([score, failures]).toEqual([0, ['action_missing']])
    },
  )

  test.each(challenges)('fail if a print performs the actions: %s, then %s', async (...asked) => {
    const { score, failures } = judgeLiveness(asked, await sequence(one, asked, true))
    // At least one of two actions turns the head, and in a flat picture the nose does not move relative to the face.
    expect(failures).toContain('action_missing')
    expect(score).toBe(0)
  })

  test.each(challenges)(
    'fail if a screen shows a person performing the actions: %s, then %s',
    async (...asked) => {
      const { score, passive_score } = judgeLiveness(asked, await sequence(screen, asked))
      expect(passive_score).toBeLessThan(0.5)
      expect(score).toBeLessThan(0.5)
    },
  )

  test.each(challenges)('fail if another person takes over: %s, then %s', async (...asked) => {
    const [mine, theirs] = [await sequence(one, asked), await sequence(another, asked)]
    const { score, failures } = judgeLiveness(asked, [...mine.slice(0, 3), ...theirs.slice(3)])
    expect(failures).toContain('different_person')
    expect(score).toBe(0)
  })

  test('fail if one still photo is sent as several frames, even re-encoded', async () => {
    const still = await Promise.all([{}, { closer: 1 }, { yaw: 0 }].map((view) => frame(one, view)))
    const { score, failures } = judgeLiveness(['turn_left', 'come_closer'], still)
    expect(failures).toContain('frame_repeated')
    expect(score).toBe(0)
  })
})
