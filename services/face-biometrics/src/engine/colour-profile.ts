const HEADER_BYTES = 128
const TAG_ENTRY_BYTES = 12
/** Y of a primary under this is no light a display could make: the primary is imaginary. */
const IMAGINARY_LUMINANCE = 0.005

/** Y of a profile's colorant tag (ICC.1:2022, sections 7.3 and 10.31), or null where the tag is absent or damaged. */
function colorantLuminance(profile: Buffer, signature: string): number | null {
  if (profile.length < HEADER_BYTES + 4) return null
  const count = Math.min(profile.readUInt32BE(HEADER_BYTES), 100)
  for (let index = 0; index < count; index += 1) {
    const entry = HEADER_BYTES + 4 + index * TAG_ENTRY_BYTES
    if (entry + TAG_ENTRY_BYTES > profile.length) return null
    if (profile.toString('latin1', entry, entry + 4) !== signature) continue
    const offset = profile.readUInt32BE(entry + 4)
    // An XYZType holds three s15Fixed16 numbers after eight bytes.
    return offset + 20 <= profile.length ? profile.readInt32BE(offset + 12) / 65_536 : null
  }
  return null
}

/**
 * Whether an RGB profile describes a space for editing, wider than any display (ProPhoto RGB, whose blue is no
 * visible colour), and not what a camera or a screen shows. Such photos are read as stored: so did the decoder that
 * the threshold was measured with, and converting moves their similarities by up to 0.05.
 */
export function isEditingSpace(profile: Buffer): boolean {
  return ['rXYZ', 'gXYZ', 'bXYZ'].some((signature) => {
    const luminance = colorantLuminance(profile, signature)
    return luminance !== null && luminance < IMAGINARY_LUMINANCE
  })
}
