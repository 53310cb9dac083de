import { type DetectedFace, FACE_SCORE_CERTAIN } from '../domain/face.ts'
import type { RgbImage } from '../domain/image.ts'
import type { DetectedImage, FaceEngine } from './face-engine.ts'

/** The image turned by 90° clockwise. */
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
 * As `engine.detect`, for pictures that may lie on their side, as documents do: where no certain face is seen, the
 * other three directions are tried, and the one with the most certain face is the answer.
 */
export async function detectUpright(engine: FaceEngine, bytes: Buffer): Promise<DetectedImage> {
  let best = await engine.detect(bytes)
  let { image } = best
  for (let quarter = 1; quarter < 4 && score(best.prominent) < FACE_SCORE_CERTAIN; quarter += 1) {
    const { originalWidth, originalHeight } = image
    image = {
      ...turnClockwise(image),
      scale: image.scale,
      originalWidth: originalHeight,
      originalHeight: originalWidth,
    }
    const turned = await engine.detectIn(image)
    if (score(turned.prominent) > score(best.prominent)) best = turned
  }
  return best
}
