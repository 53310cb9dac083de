import { createHash } from 'node:crypto'
import { type DetectedFace, FACE_SCORE_CERTAIN, landmarkPoints } from '../domain/face.ts'
import { type FaceQuality, lumaOf } from '../domain/face-quality.ts'
import type { ObservedFrame } from '../domain/observed-frame.ts'
import { shrinkByArea } from '../domain/shrink-by-area.ts'
import type { FaceEngine } from './face-engine.ts'

export type Observation = {
  frame: ObservedFrame
  /** Quality of the most prominent face; null without one. */
  quality: FaceQuality | null
}

const THUMBNAIL_SIDE = 16
/** As a fraction of the main face's width; smaller faces are pictures on a wall or people passing by. */
const COMPANION_WIDTH = 1 / 3

function countPersons(faces: readonly DetectedFace[], prominent: DetectedFace): number {
  const others = faces.filter(
    (face) =>
      face !== prominent &&
      face.score >= FACE_SCORE_CERTAIN &&
      face.box.width >= prominent.box.width * COMPANION_WIDTH,
  )
  return 1 + others.length
}

/** Evaluates one frame of a sequence with every network. Throws like the engine, but not for a frame without a face. */
export async function observeFrame(engine: FaceEngine, bytes: Buffer): Promise<Observation> {
  const { image, faces, prominent } = await engine.detect(bytes)
  const side = (length: number) => Math.min(THUMBNAIL_SIDE, length)
  const whole = {
    pixels_sha256: createHash('sha256').update(image.data).digest('hex'),
    thumbnail: lumaOf(shrinkByArea(image, side(image.width), side(image.height))),
  }
  if (!prominent) return { frame: { ...whole, faces: 0, face: null }, quality: null }
  const { embedding, quality } = await engine.embedFace(image, prominent)
  const longSide = Math.max(image.width, image.height)
  const points = landmarkPoints(prominent.landmarks)
  return {
    frame: {
      ...whole,
      faces: countPersons(faces, prominent),
      face: {
        eye_distance: (quality.eye_distance * image.scale) / longSide,
        landmarks: Float32Array.from(points.flatMap(({ x, y }) => [x / longSide, y / longSide])),
        pose: quality.pose,
        embedding,
        passive_score: await engine.livenessOfFace(image, prominent),
      },
    },
    quality,
  }
}
