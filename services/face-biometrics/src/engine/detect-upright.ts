import { type DetectedFace, FACE_SCORE_CERTAIN } from '../domain/face.ts'
import type { RgbImage } from '../domain/image.ts'
import type { DetectedImage, FaceEngine } from './face-engine.ts'

/** Number of 90° clockwise rotations. */
export type QuarterTurns = 0 | 1 | 2 | 3

/** The image rotated by 90° clockwise. */
export function turnClockwise({ data, width, height }: RgbImage): RgbImage {
  const turned = new Uint8Array(data.length)
  for (let y = 0, source = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1, source += 3) {
      const target = (x * height + (height - 1 - y)) * 3
      turned[target] = data[source]!
      turned[target + 1] = data[source + 1]!
      turned[target + 2] = data[source + 2]!
    }
  return { data: turned, width: height, height: width }
}

const score = (face: DetectedFace | null): number => face?.score ?? 0

/**
 * As `engine.detect`, for pictures that may be rotated, as documents often are. If no certain face is detected, tries
 * the other three rotations; returns the result with the most certain face and its number of rotations.
 */
export async function detectUpright(
  engine: FaceEngine,
  bytes: Buffer,
): Promise<DetectedImage & { quarterTurns: QuarterTurns }> {
  let best = { ...(await engine.detect(bytes)), quarterTurns: 0 as QuarterTurns }
  let { image } = best
  for (const quarterTurns of [1, 2, 3] as const) {
    if (score(best.prominent) >= FACE_SCORE_CERTAIN) break
    const { originalWidth, originalHeight } = image
    image = {
      ...turnClockwise(image),
      scale: image.scale,
      originalWidth: originalHeight,
      originalHeight: originalWidth,
    }
    const turned = await engine.detectIn(image)
    if (score(turned.prominent) > score(best.prominent)) best = { ...turned, quarterTurns }
  }
  return best
}
