import sharp from 'sharp'
import type { Box, RgbImage } from '../domain/image.ts'
import { decodeImage } from './decode-image.ts'
import { type QuarterTurns, turnClockwise } from './detect-upright.ts'

/** Size of the crop relative to the face's box, because hair, ears and chin help a reviewer to compare. */
const REACH = 2
/** Decoding size for the crop; larger than for detection, because the face on a document is small. */
const SOURCE_SIDE = 2_560
const LARGEST_SIDE = 640

/** Where a face was detected: `box` in pixels of the upright picture, whose size is `scale` times the file's. */
export type FacePlace = { box: Box; scale: number; quarterTurns: QuarterTurns }

/**
 * The face and its surroundings, upright, as a JPEG of at most 640 pixels per side for a reviewer to compare. It is
 * re-encoded, so that no metadata of the original file is retained. Throws ImageError.
 */
export async function cutFace(bytes: Buffer, { box, scale, quarterTurns }: FacePlace): Promise<Buffer> {
  const source = await decodeImage(bytes, SOURCE_SIDE)
  let image: RgbImage = source
  for (let turn = 0; turn < quarterTurns; turn += 1) image = turnClockwise(image)
  return sharp(image.data, { raw: { width: image.width, height: image.height, channels: 3 } })
    .extract(around(box, source.scale / scale, image))
    .resize({ width: LARGEST_SIDE, height: LARGEST_SIDE, fit: 'inside', withoutEnlargement: true })
    .jpeg({ quality: 90 })
    .toBuffer()
}

/** The part of the image, in its pixels, around a box that was detected at another scale. */
function around(box: Box, factor: number, image: RgbImage) {
  const beyond = (REACH - 1) / 2
  const span = (from: number, length: number, most: number): [start: number, length: number] => {
    const start = Math.min(Math.max(Math.round((from - beyond * length) * factor), 0), most - 1)
    const end = Math.min(Math.max(Math.round((from + (1 + beyond) * length) * factor), start + 1), most)
    return [start, end - start]
  }
  const [left, width] = span(box.x, box.width, image.width)
  const [top, height] = span(box.y, box.height, image.height)
  return { left, top, width, height }
}
