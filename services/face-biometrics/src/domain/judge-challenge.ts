import type { ChallengeAction } from './challenge.ts'
import { cosineSimilarity, FACE_MATCH_THRESHOLD } from './cosine-similarity.ts'
import type { ObservedFrame } from './observed-frame.ts'

/** Why a sequence fails its challenge. */
export type ChallengeFailure =
  | 'too_few_frames'
  | 'no_face'
  | 'multiple_faces'
  | 'frame_repeated'
  | 'different_person'
  | 'no_frontal_start'
  | 'action_missing'
  | 'flat_picture'

export type ChallengeJudgement = {
  passed: boolean
  /** The recognised actions, in the requested order. */
  completed: ChallengeAction[]
  failures: ChallengeFailure[]
}

export const CHALLENGE_BOUNDS = {
  /** One frontal frame and one for each action. */
  min_frames: 3,
  /** Maximum yaw of the first frame, in degrees. */
  frontal_yaw: 15,
  /** Degrees from the first frame's pose. Estimates from five points vary by about 3° between frames of a still head. */
  turn_yaw: 15,
  up_pitch: 10,
  /** Eye distance relative to the first frame. */
  closer: 1.25,
  /** Landmark movement between two frames, in eye distances, below which nothing moved. */
  still_movement: 0.004,
  /** Mean difference of the thumbnails, in levels of 255, below which two frames are one re-encoded picture. */
  still_difference: 0.75,
  /**
   * Change of shape over the sequence, in eye distances, after the best affine fit. A turn of 15° moves the nose by
   * 0.1; a flat picture shows only jitter.
   */
  flat_change: 0.04,
} as const

type Face = NonNullable<ObservedFrame['face']>

const performed: Record<ChallengeAction, (face: Face, start: Face) => boolean> = {
  turn_left: (face, start) => face.pose.yaw - start.pose.yaw >= CHALLENGE_BOUNDS.turn_yaw,
  turn_right: (face, start) => start.pose.yaw - face.pose.yaw >= CHALLENGE_BOUNDS.turn_yaw,
  look_up: (face, start) => face.pose.pitch - start.pose.pitch >= CHALLENGE_BOUNDS.up_pitch,
  come_closer: (face, start) => face.eye_distance / start.eye_distance >= CHALLENGE_BOUNDS.closer,
}

function completedInOrder(actions: readonly ChallengeAction[], faces: readonly Face[]): ChallengeAction[] {
  const [start, ...following] = faces
  const completed: ChallengeAction[] = []
  for (const face of following) {
    const next = actions[completed.length]
    if (next === undefined) break
    if (performed[next](face, start!)) completed.push(next)
  }
  return completed
}

function meanDifference(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (const [index, value] of a.entries()) sum += Math.abs(value - b[index]!)
  return sum / a.length
}

/** The maximum landmark movement between two faces, in eye distances of the first. */
function movement(a: Face, b: Face): number {
  let farthest = 0
  for (let index = 0; index < a.landmarks.length; index += 2) {
    const dx = a.landmarks[index]! - b.landmarks[index]!
    const dy = a.landmarks[index + 1]! - b.landmarks[index + 1]!
    farthest = Math.max(farthest, Math.hypot(dx, dy))
  }
  return farthest / a.eye_distance
}

function repeats(a: ObservedFrame, b: ObservedFrame): boolean {
  if (a.pixels_sha256 === b.pixels_sha256) return true
  if (!a.face || !b.face) return false
  return (
    movement(a.face, b.face) < CHALLENGE_BOUNDS.still_movement &&
    meanDifference(a.thumbnail, b.thumbnail) < CHALLENGE_BOUNDS.still_difference
  )
}

/**
 * Distance of the landmarks of `face` from those of `start` after the best affine fit, in eye distances. Moving,
 * zooming, turning or tilting a flat picture cannot change it, but turning a head moves the nose out of the plane of
 * the other points. Five points and six unknowns leave four residuals.
 */
function shapeChange(start: Face, face: Face): number {
  const design: number[][] = []
  for (let index = 0; index < start.landmarks.length; index += 2)
    design.push([start.landmarks[index]!, start.landmarks[index + 1]!, 1])
  let worst = 0
  for (const axis of [0, 1]) {
    const target = design.map((_, point) => face.landmarks[point * 2 + axis]!)
    const [p, q, r] = leastSquares3(design, target)
    for (const [point, row] of design.entries())
      worst = Math.max(worst, Math.abs(target[point]! - (p * row[0]! + q * row[1]! + r)))
  }
  return worst / face.eye_distance
}

/** Solves a least-squares problem with three unknowns by its normal equations (Cramer's rule). */
function leastSquares3(rows: readonly number[][], target: readonly number[]): [number, number, number] {
  const m = [0, 1, 2].map((i) => [0, 1, 2].map((j) => rows.reduce((sum, row) => sum + row[i]! * row[j]!, 0)))
  const v = [0, 1, 2].map((i) => rows.reduce((sum, row, index) => sum + row[i]! * target[index]!, 0))
  const determinant = (a: number[][]) =>
    a[0]![0]! * (a[1]![1]! * a[2]![2]! - a[1]![2]! * a[2]![1]!) -
    a[0]![1]! * (a[1]![0]! * a[2]![2]! - a[1]![2]! * a[2]![0]!) +
    a[0]![2]! * (a[1]![0]! * a[2]![1]! - a[1]![1]! * a[2]![0]!)
  const whole = determinant(m)
  const solve = (column: number) =>
    determinant(m.map((row, i) => row.map((value, j) => (j === column ? v[i]! : value)))) / whole
  return [solve(0), solve(1), solve(2)]
}

/**
 * Judges a sequence of frames, in capture order, against the requested actions. The first frame must be frontal, every
 * frame must show exactly one face of the same person, no picture may repeat, the actions must come in the requested
 * order, and the face's shape must change like that of a three-dimensional head.
 */
export function judgeChallenge(
  actions: readonly ChallengeAction[],
  frames: readonly ObservedFrame[],
): ChallengeJudgement {
  const failures = new Set<ChallengeFailure>()
  if (frames.length < CHALLENGE_BOUNDS.min_frames) failures.add('too_few_frames')
  if (frames.some(({ faces }) => faces > 1)) failures.add('multiple_faces')
  const faces = frames.flatMap(({ face }) => (face ? [face] : []))
  if (faces.length < frames.length || faces.length === 0) failures.add('no_face')
  for (const [index, frame] of frames.entries())
    if (frames.slice(0, index).some((earlier) => repeats(earlier, frame))) failures.add('frame_repeated')

  const [start, ...following] = faces
  if (!start) return { passed: false, completed: [], failures: [...failures] }
  if (following.some((face) => cosineSimilarity(start.embedding, face.embedding) < FACE_MATCH_THRESHOLD))
    failures.add('different_person')
  if (Math.abs(start.pose.yaw) > CHALLENGE_BOUNDS.frontal_yaw) failures.add('no_frontal_start')
  const completed = completedInOrder(actions, faces)
  if (completed.length < actions.length) failures.add('action_missing')
  const change = Math.max(0, ...following.map((face) => shapeChange(start, face)))
  if (change < CHALLENGE_BOUNDS.flat_change) failures.add('flat_picture')
  return { passed: failures.size === 0, completed, failures: [...failures] }
}
