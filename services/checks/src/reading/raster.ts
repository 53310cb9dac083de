import { PublicError, unprocessable } from '@kyc/common'
import sharp, { type Metadata } from 'sharp'

/** Pixels, row by row, 8 bits per channel: RGB (3) or grey (1). */
export interface Raster {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
  readonly channels: 1 | 3
}

export interface DecodedImage {
  readonly raster: Raster
  /** The size in the file after its EXIF orientation, before any reduction. */
  readonly originalWidth: number
  readonly originalHeight: number
}

/** Larger images are rejected before decoding, because a small file can otherwise cost gigabytes. */
export const MAX_IMAGE_PIXELS = 50_000_000
/** Larger photos are reduced while decoding: 12 megapixels resolve the smallest print of a full-frame document. */
export const MAX_WORKING_PIXELS = 12_000_000
const accepted = new Set(['jpeg', 'png', 'webp'])

/**
 * Decodes one JPEG, PNG or WebP to sRGB without alpha, with its EXIF orientation applied; first page only. Throws
 * `unprocessable` for anything else and for images that exceed `MAX_IMAGE_PIXELS`.
 */
export async function decodeImage(bytes: Uint8Array): Promise<DecodedImage> {
  const options = {
    limitInputPixels: MAX_IMAGE_PIXELS,
    failOn: 'error',
    pages: 1,
    sequentialRead: true,
  } as const
  let header: Metadata
  try {
    header = await sharp(bytes, options).metadata()
  } catch {
    throw unprocessable('image is not a readable JPEG, PNG or WebP.')
  }
  if (!header.format || !accepted.has(header.format))
    throw unprocessable('image must be a JPEG, PNG or WebP.')
  if (header.width * header.height > MAX_IMAGE_PIXELS)
    throw unprocessable('image has more than 50 megapixels.')
  const turned = (header.orientation ?? 1) >= 5
  const originalWidth = turned ? header.height : header.width
  const originalHeight = turned ? header.width : header.height
  const scale = Math.min(1, Math.sqrt(MAX_WORKING_PIXELS / (originalWidth * originalHeight)))
  try {
    const { data, info } = await sharp(bytes, options)
      .autoOrient()
      .resize({
        width: Math.max(1, Math.round(originalWidth * scale)),
        height: Math.max(1, Math.round(originalHeight * scale)),
        fit: 'fill',
      })
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    if (info.channels !== 3) throw new Error(`expected 3 channels, got ${info.channels}`)
    return {
      raster: { data, width: info.width, height: info.height, channels: 3 },
      originalWidth,
      originalHeight,
    }
  } catch (cause) {
    throw new PublicError('unprocessable', 'image could not be decoded.', { cause })
  }
}

/** A resized copy: area averaging when smaller, cubic when larger. */
export async function resizeRaster(raster: Raster, width: number, height: number): Promise<Raster> {
  const { data } = await sharp(raster.data, {
    raw: { width: raster.width, height: raster.height, channels: raster.channels },
  })
    .resize({ width, height, fit: 'fill', kernel: 'cubic' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width, height, channels: raster.channels }
}

/** The image rotated clockwise by `quarterTurns` × 90°. */
export function turnRaster(raster: Raster, quarterTurns: 0 | 1 | 2 | 3): Raster {
  if (quarterTurns === 0) return raster
  const { data, width, height, channels } = raster
  const turned = new Uint8Array(data.length)
  const size = quarterTurns === 2 ? { width, height } : { width: height, height: width }
  for (let y = 0, from = 0; y < height; y++) {
    for (let x = 0; x < width; x++, from += channels) {
      const column = quarterTurns === 1 ? height - 1 - y : quarterTurns === 2 ? width - 1 - x : y
      const row = quarterTurns === 1 ? x : quarterTurns === 2 ? height - 1 - y : width - 1 - x
      const to = (row * size.width + column) * channels
      for (let c = 0; c < channels; c++) turned[to + c] = data[from + c]!
    }
  }
  return { data: turned, ...size, channels }
}

/** ITU-R BT.601 luma, the grey value that sharpness and brightness are defined on. */
export function toGrey(raster: Raster): Raster {
  if (raster.channels === 1) return raster
  const { data, width, height } = raster
  const grey = new Uint8Array(width * height)
  for (let i = 0, j = 0; i < grey.length; i++, j += 3) {
    grey[i] = (data[j]! * 77 + data[j + 1]! * 150 + data[j + 2]! * 29) >> 8
  }
  return { data: grey, width, height, channels: 1 }
}
