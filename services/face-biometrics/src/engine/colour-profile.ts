/** Size of the header (ICC.1:2022, section 7.2), which is followed by the number of tags and the tag table. */
const HEADER_BYTES = 128
const TAG_ENTRY_BYTES = 12
const MAX_TAGS = 100
/** A primary whose Y is below this is imaginary: no display can emit it. */
const IMAGINARY_LUMINANCE = 0.005

/** Offset of a tag's value; null if the tag is absent or exceeds the profile. */
function tagOffset(profile: Buffer, signature: string, bytes: number): number | null {
  if (profile.length < HEADER_BYTES + 4) return null
  const count = Math.min(profile.readUInt32BE(HEADER_BYTES), MAX_TAGS)
  for (let index = 0; index < count; index += 1) {
    const entry = HEADER_BYTES + 4 + index * TAG_ENTRY_BYTES
    if (entry + TAG_ENTRY_BYTES > profile.length) return null
    if (profile.toString('latin1', entry, entry + 4) !== signature) continue
    const offset = profile.readUInt32BE(entry + 4)
    return offset + bytes <= profile.length ? offset : null
  }
  return null
}

const fixed16 = (profile: Buffer, offset: number) => profile.readInt32BE(offset) / 65_536

/** X, Y, Z of a colorant tag: an XYZType has three s15Fixed16 numbers after eight bytes (section 10.31). */
function colorant(profile: Buffer, signature: string): [number, number, number] | null {
  const offset = tagOffset(profile, signature, 20)
  if (offset === null) return null
  return [fixed16(profile, offset + 8), fixed16(profile, offset + 12), fixed16(profile, offset + 16)]
}

const COLORANTS = ['rXYZ', 'gXYZ', 'bXYZ'] as const

/**
 * Whether an RGB profile describes an editing space wider than any display, such as ProPhoto RGB, whose blue is not a
 * visible colour. Such photos are read without conversion, like the decoder with which the threshold was measured;
 * converting them changes similarities by up to 0.05.
 */
export function isEditingSpace(profile: Buffer): boolean {
  return COLORANTS.some((signature) => {
    const value = colorant(profile, signature)
    return value !== null && value[1] < IMAGINARY_LUMINANCE
  })
}

/** sRGB's primaries relative to the white point of the profile connection space (IEC 61966-2-1, adapted to D50). */
const SRGB_COLORANTS = [
  [0.4361, 0.2225, 0.0139],
  [0.3851, 0.7169, 0.0971],
  [0.1431, 0.0606, 0.7141],
] as const
const COLORANT_TOLERANCE = 0.002
/** sRGB's curve at one half; a plain gamma of 2.2 differs by 0.0036. */
const SRGB_HALF = 0.214
const CURVE_TOLERANCE = 0.003

/** A tone curve's value at one half, from a table (section 10.6) or sRGB's parametric form (section 10.18, type 3). */
function curveAtHalf(profile: Buffer, signature: string): number | null {
  const offset = tagOffset(profile, signature, 12)
  if (offset === null) return null
  const type = profile.toString('latin1', offset, offset + 4)
  if (type === 'curv') {
    const count = profile.readUInt32BE(offset + 8)
    const middle = offset + 12 + Math.floor(count / 2) * 2
    if (count < 16 || middle + 2 > profile.length) return null
    return profile.readUInt16BE(middle) / 65_535
  }
  if (type !== 'para' || profile.readUInt16BE(offset + 8) !== 3 || offset + 24 > profile.length) return null
  const [gamma, a, b] = [12, 16, 20].map((position) => fixed16(profile, offset + position))
  return (a! * 0.5 + b!) ** gamma!
}

/** Whether a profile is sRGB, as written by most cameras and programs, so that converting would change nothing. */
export function isSrgb(profile: Buffer): boolean {
  const sameColorants = COLORANTS.every((signature, index) =>
    colorant(profile, signature)?.every(
      (value, axis) => Math.abs(value - SRGB_COLORANTS[index]![axis]!) <= COLORANT_TOLERANCE,
    ),
  )
  return (
    sameColorants &&
    ['rTRC', 'gTRC', 'bTRC'].every((signature) => {
      const half = curveAtHalf(profile, signature)
      return half !== null && Math.abs(half - SRGB_HALF) <= CURVE_TOLERANCE
    })
  )
}
