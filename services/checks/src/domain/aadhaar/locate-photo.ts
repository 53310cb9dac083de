export interface PhotoPart {
  /** `jp2` is JPEG 2000, boxed or a bare codestream; null without a photo. */
  format: 'jp2' | 'jpeg' | 'unknown' | null
  emailHash: Buffer | null
  mobileHash: Buffer | null
}

const hashLength = 32

function formatOf(photo: Buffer): PhotoPart['format'] {
  if (photo.length === 0) return null
  if (photo.length < 4) return 'unknown'
  const magic = photo.readUInt32BE(0)
  // A bare codestream begins with SOC and SIZ, a boxed file with the signature box of twelve bytes.
  if (magic === 0xff4fff51) return 'jp2'
  if (magic === 12 && photo.subarray(4, 8).toString('latin1') === 'jP  ') return 'jp2'
  return magic >>> 8 === 0xffd8ff ? 'jpeg' : 'unknown'
}

/** JPEG and JPEG 2000 both end in FFD9, which never occurs inside their compressed data. */
const endsInEndMarker = (bytes: Buffer): boolean =>
  bytes.length >= 2 && bytes[bytes.length - 2] === 0xff && bytes[bytes.length - 1] === 0xd9

/**
 * Splits the bytes between the text fields and the signature into photo and hashes. `hashes` says whether the version
 * has them; for `maybe`, the end of the photo decides. The e-mail hash precedes the mobile hash. Null when the part is
 * too short for required hashes.
 */
export function locatePhoto(
  part: Buffer,
  hashes: 'always' | 'maybe' | 'never',
  indicator: number,
): PhotoPart | null {
  const without: PhotoPart = { format: formatOf(part), emailHash: null, mobileHash: null }
  if (hashes === 'never') return without
  const count = (indicator & 1) + (indicator >> 1)
  const photoEnd = part.length - count * hashLength
  const present =
    hashes === 'always' || (photoEnd >= 0 && (photoEnd === 0 || endsInEndMarker(part.subarray(0, photoEnd))))
  if (!present) return without
  if (photoEnd < 0) return null
  const hashAt = (index: number): Buffer =>
    part.subarray(photoEnd + index * hashLength, photoEnd + (index + 1) * hashLength)
  return {
    format: formatOf(part.subarray(0, photoEnd)),
    emailHash: (indicator & 1) === 1 ? hashAt(0) : null,
    mobileHash: (indicator & 2) === 2 ? hashAt(indicator & 1) : null,
  }
}
