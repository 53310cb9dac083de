import { describe, expect, test } from '@jest/globals'
import { type ChallengeAction, challengeActions, makeChallenge } from './challenge.ts'
import { normalized } from './cosine-similarity.ts'
import { landmarkPoints } from './face.ts'
import { judgeLiveness } from './judge-liveness.ts'
import type { ObservedFrame } from './observed-frame.ts'
import { estimatePose } from './pose.ts'

type View = {
  yaw?: number
  pitch?: number
  zoom?: number
  x?: number
  person?: number
  passive?: number
  id?: number
}

const radians = (degrees: number) => (degrees * Math.PI) / 180

/** A frame of a 3D head (or, if `flat`, of a picture of one) in a 640-pixel image, as the engine would observe it. */
function frame(view: View, flat = false): ObservedFrame {
  const { yaw = 0, pitch = 0, zoom = 1, x: shift = 0, person = 1, passive = 0.97 } = view
  const [a, b] = [radians(yaw), radians(pitch)]
  const project = (x: number, y: number, depth: number) => {
    const z = flat ? 0 : depth
    const turnedX = x * Math.cos(a) + z * Math.sin(a)
    const turnedZ = z * Math.cos(a) - x * Math.sin(a)
    return { x: 320 + shift + zoom * turnedX, y: 240 + zoom * (y * Math.cos(b) - turnedZ * Math.sin(b)) }
  }
  const landmarks = {
    right_eye: project(-32, 0, 0),
    left_eye: project(32, 0, 0),
    nose_tip: project(0, 36.5, 32),
    right_mouth_corner: project(-26, 74, 8),
    left_mouth_corner: project(26, 74, 8),
  }
  const { right_eye, left_eye } = landmarks
  const id = view.id ?? `${yaw},${pitch},${zoom},${shift},${person}`
  return {
    pixels_sha256: String(id),
    thumbnail: new Float32Array(256).fill(Number(view.id ?? yaw + pitch + zoom * 10 + shift) % 256),
    faces: 1,
    face: {
      eye_distance: Math.hypot(left_eye.x - right_eye.x, left_eye.y - right_eye.y) / 640,
      landmarks: Float32Array.from(landmarkPoints(landmarks).flatMap(({ x, y }) => [x / 640, y / 640])),
      pose: estimatePose(landmarks),
      embedding: normalized(
        Float32Array.from({ length: 8 }, (_, index) => (index % 4 === person % 4 ? 1 : 0.05)),
      ),
      passive_score: passive,
    },
  }
}

const asked: ChallengeAction[] = ['turn_left', 'come_closer']
const answer: View[] = [{}, { yaw: 12 }, { yaw: 28 }, { yaw: 6, x: 4 }, { zoom: 1.2, x: 2 }, { zoom: 1.4 }]
const sequence = (views: readonly View[], flat = false) => views.map((view) => frame(view, flat))
const failuresOf = (views: readonly View[], actions = asked) =>
  judgeLiveness(actions, sequence(views)).failures

describe('judgeLiveness of an active challenge', () => {
  test('passes a person who performs the requested actions', () => {
    expect(judgeLiveness(asked, sequence(answer))).toEqual({
      score: expect.closeTo(0.97),
      passive_score: expect.closeTo(0.97),
      completed_actions: asked,
      failures: [],
    })
  })

  test.each(challengeActions)('recognises %s', (action) => {
    const views: Record<ChallengeAction, View> = {
      turn_left: { yaw: 25 },
      turn_right: { yaw: -25 },
      look_up: { pitch: 18 },
      come_closer: { zoom: 1.4 },
    }
    for (const other of challengeActions) {
      const { completed_actions } = judgeLiveness([other], sequence([{}, { x: 3 }, views[action]]))
      expect(completed_actions).toEqual(other === action ? [action] : [])
    }
  })

  test('fails actions in the wrong order, or only one of them', () => {
    expect(failuresOf(answer, ['come_closer', 'turn_left'])).toContain('action_missing')
    expect(failuresOf(answer.slice(0, 4))).toContain('action_missing')
  })

  test('fails a sequence recorded for another challenge', () => {
    expect(failuresOf(answer, ['turn_right', 'look_up'])).toContain('action_missing')
  })

  test('fails a single still image sent as several frames', () => {
    const same = answer.map(() => ({ id: 1 }))
    expect(failuresOf(same)).toEqual(
      expect.arrayContaining(['frame_repeated', 'action_missing', 'flat_picture']),
    )
  })

  test('fails a still image that was re-encoded each time', () => {
    const jitter = answer.map((_, index) => ({ id: 100, x: index * 0.05 }))
    const frames = sequence(jitter).map((item, index) => ({ ...item, pixels_sha256: `file ${index}` }))
    expect(judgeLiveness(asked, frames).failures).toContain('frame_repeated')
  })

  test('fails a flat picture that is turned, tilted, moved and brought closer', () => {
    const { failures, score } = judgeLiveness(asked, sequence([...answer, { yaw: 45 }, { pitch: 40 }], true))
    expect(failures).toEqual(expect.arrayContaining(['action_missing', 'flat_picture']))
    expect(score).toBe(0)
  })

  test('fails when another person appears', () => {
    expect(failuresOf([...answer, { yaw: 1, person: 2 }])).toEqual(['different_person'])
  })

  test('fails when a picture repeats', () => {
    expect(failuresOf([...answer, answer[2]!])).toEqual(['frame_repeated'])
  })

  test('fails a frame without a face or with two, and too few frames', () => {
    const frames = sequence(answer)
    expect(
      judgeLiveness(asked, [...frames, { ...frames[0]!, pixels_sha256: 'x', face: null, faces: 0 }]).failures,
    ).toContain('no_face')
    expect(judgeLiveness(asked, [{ ...frames[0]!, faces: 2 }, ...frames.slice(1)]).failures).toEqual([
      'multiple_faces',
    ])
    expect(failuresOf([{}, { yaw: 25 }])).toContain('too_few_frames')
    expect(judgeLiveness(asked, []).failures).toEqual(expect.arrayContaining(['too_few_frames', 'no_face']))
  })

  test('fails a sequence that does not begin with a look into the camera', () => {
    expect(failuresOf([{ yaw: -30 }, ...answer])).toContain('no_frontal_start')
  })

  test('scores a passed challenge by the passive score of its frames', () => {
    const screen = answer.map((view) => ({ ...view, passive: 0.05 }))
    expect(judgeLiveness(asked, sequence(screen)).score).toBeCloseTo(0.05)
  })

  test('uses the passive score of frontal frames only', () => {
    const turnedLooksFake = answer.map((view) => ({ ...view, passive: (view.yaw ?? 0) > 20 ? 0 : 0.9 }))
    expect(judgeLiveness(asked, sequence(turnedLooksFake)).score).toBeCloseTo(0.9)
  })
})

describe('judgeLiveness without a challenge', () => {
  test('is the mean passive score of one or several frames', () => {
    expect(judgeLiveness([], sequence([{}])).score).toBeCloseTo(0.97)
    expect(judgeLiveness([], sequence([{ passive: 0.9 }, { x: 5, passive: 0.5 }])).score).toBeCloseTo(0.7)
  })

  test('is 0 without a face, with several faces, or with two persons', () => {
    const [first] = sequence([{}])
    expect(judgeLiveness([], [{ ...first!, face: null, faces: 0 }])).toMatchObject({
      score: 0,
      passive_score: null,
    })
    expect(judgeLiveness([], [{ ...first!, faces: 2 }]).failures).toEqual(['multiple_faces'])
    expect(judgeLiveness([], sequence([{}, { person: 3 }])).failures).toEqual(['different_person'])
  })
})

describe('makeChallenge', () => {
  test('requests two different actions, each combination equally likely', () => {
    const seen = new Map<string, number>()
    for (let first = 0; first < 4; first += 1)
      for (let second = 0; second < 3; second += 1) {
        const numbers = [first, second]
        const actions = makeChallenge(() => numbers.shift()!)
        expect(new Set(actions).size).toBe(2)
        seen.set(actions.join(), (seen.get(actions.join()) ?? 0) + 1)
      }
    expect(seen.size).toBe(12)
    expect(new Set(seen.values())).toEqual(new Set([1]))
  })
})
