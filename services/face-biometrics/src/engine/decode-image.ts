import sharp, { type Metadata } from 'sharp'
import type { RgbImage } from '../domain/image.ts'
import { shrinkByArea } from '../domain/shrink-by-area.ts'
import { isEditingSpace, isSrgb } from './colour-profile.ts'
import { ImageError } from './image-error.ts'
import { imageFormat, isAnimated } from './image-format.ts'

/** The API's limit of 10 MB, read as 10 MiB. */
export const MAX_IMAGE_BYTES = 10_485_760
/** More than any phone produces; decoding more would permit an attack on memory. */
export const MAX_IMAGE_PIXELS = 50_000_000
export const MIN_IMAGE_SIDE = 32
/** YuNet detects faces best at this long side; at full size it misses large ones. */
export const WORKING_SIDE = 640

/** An upright sRGB image at working size. */
export type DecodedImage = RgbImage & {
  /** Working pixels per original pixel; at most 1, an image is never enlarged. */
  scale: number
  /** Size of the upright original, in pixels. */
  originalWidth: number
  originalHeight: number
}

async function readHeader(bytes: Buffer): Promise<Metadata> {
  try {
    // The number of pixels is checked below, with a specific error.
    return await sharp(bytes, { limitInputPixels: false, failOn: 'warning' }).metadata()
  } catch (cause) {
    throw new ImageError('corrupt', { cause })
  }
}

/**
 * Power of two by which the decoder itself may downscale. It keeps at least twice the working size, from which area
 * averaging loses nothing relevant, and bounds memory for any photo size.
 */
function decoderShrink(scale: number): number {
  return Math.max(1, 2 ** Math.floor(Math.log2(1 / (2 * scale))))
}

const readAsStored = (profile: Buffer): boolean => isSrgb(profile) || isEditingSpace(profile)

/** The decoder returns greyscale images with one channel (two with alpha); the networks need three. */
function toThreeChannels(data: Uint8Array, channels: number): Uint8Array {
  if (channels === 3) return data
  const pixels = data.length / channels
  const rgb = new Uint8Array(pixels * 3)
  for (let pixel = 0; pixel < pixels; pixel += 1) {
    const grey = data[pixel * channels]!
    rgb[pixel * 3] = grey
    rgb[pixel * 3 + 1] = grey
    rgb[pixel * 3 + 2] = grey
  }
  return rgb
}

/**
 * Decodes JPEG, PNG or WebP, of any colour model, depth and orientation, to upright 8-bit sRGB with a long side of at
 * most `maxSide` pixels. Transparency is flattened onto white, as in the console.
 *
 * Throws ImageError; format, size and animation are checked before any pixel is decoded.
 */
export async function decodeImage(bytes: Buffer, maxSide: number = WORKING_SIDE): Promise<DecodedImage> {
  if (bytes.length > MAX_IMAGE_BYTES) throw new ImageError('too_many_bytes')
  const format = imageFormat(bytes)
  if (format === null) throw new ImageError('not_an_image')
  if (isAnimated(bytes, format)) throw new ImageError('animated')
  const header = await readHeader(bytes)
  const { width, height } = header.autoOrient
  if (width * height > MAX_IMAGE_PIXELS) throw new ImageError('too_many_pixels')
  if (Math.min(width, height) < MIN_IMAGE_SIDE) throw new ImageError('too_small')

  const scale = Math.min(1, maxSide / Math.max(width, height))
  const shrink = decoderShrink(scale)
  try {
    const pipeline = sharp(bytes, {
      limitInputPixels: MAX_IMAGE_PIXELS,
      failOn: 'warning',
      pages: 1,
      autoOrient: true,
      ignoreIcc: header.space === 'srgb' && header.icc !== undefined && readAsStored(header.icc),
    }).flatten({ background: '#ffffff' })
    if (shrink > 1)
      pipeline.resize(Math.ceil(width / shrink), Math.ceil(height / shrink), {
        fit: 'fill',
        kernel: 'linear',
      })
    const { data, info } = await pipeline
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true })
    const decoded = {
      data: toThreeChannels(data, info.channels),
      width: info.width,
      height: info.height,
    }
    const side = (length: number) => Math.max(1, Math.round(length * scale))
    return {
      ...shrinkByArea(decoded, side(width), side(height)),
      scale,
      originalWidth: width,
      originalHeight: height,
    }
  } catch (cause) {
    throw new ImageError('corrupt', { cause })
  }
}
