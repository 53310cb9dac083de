import sharp from 'sharp'
import type { Box, RgbImage } from '../domain/image.ts'
import { decodeImage } from './decode-image.ts'
import { type QuarterTurns, turnClockwise } from './detect-upright.ts'

/** Hair, ears and chin help a person to compare: so many times the face's box, across and down. */
const REACH = 2
/** The face on a document is small: it is cut from more pixels than it was found in. */
const SOURCE_SIDE = 2_560
const LARGEST_SIDE = 640

/** Where a face was found: `box` in pixels of the picture turned upright, which is `scale` of the file's size. */
export type FacePlace = { box: Box; scale: number; quarterTurns: QuarterTurns }

/**
 * The face with what surrounds it, upright, as a JPEG of at most 640 pixels a side for a reviewer to compare. It is
 * encoded anew: nothing that the file carried beside its pixels survives. Throws ImageError.
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

/** The part of the image, in its pixels, that reaches around a box found at another size. */
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
