export type ImageFormat = 'jpeg' | 'png' | 'webp'

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/**
 * Detects the format by the first bytes, regardless of the file name; null for all others. Called before any decoder,
 * so that the decoder's other formats (SVG, PDF, TIFF, HEIF) are unreachable.
 */
export function imageFormat(bytes: Buffer): ImageFormat | null {
  if (bytes.length >= 3 && bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'jpeg'
  if (bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return 'png'
  if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP') return 'webp'
  return null
}

/** An `acTL` chunk before the image data makes a PNG animated (PNG third edition, section 11.3.6.1). */
function isAnimatedPng(bytes: Buffer): boolean {
  let offset = PNG_SIGNATURE.length
  while (offset + 8 <= bytes.length) {
    const type = bytes.toString('latin1', offset + 4, offset + 8)
    if (type === 'acTL') return true
    if (type === 'IDAT' || type === 'IEND') return false
    offset += 12 + bytes.readUInt32BE(offset)
  }
  return false
}

/** The animation bit of the extended header (RFC 9649, section 2.7). */
const isAnimatedWebp = (bytes: Buffer): boolean =>
  bytes.length > 20 && bytes.toString('latin1', 12, 16) === 'VP8X' && (bytes[20]! & 0x02) !== 0

/** Whether a file is animated; a reviewer would then see other pictures than the engine evaluated. */
export const isAnimated = (bytes: Buffer, format: ImageFormat): boolean =>
  (format === 'png' && isAnimatedPng(bytes)) || (format === 'webp' && isAnimatedWebp(bytes))
