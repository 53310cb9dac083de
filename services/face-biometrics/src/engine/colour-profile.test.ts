import { describe, expect, test } from '@jest/globals'
import sharp from 'sharp'
import { isEditingSpace, isSrgb } from './colour-profile.ts'

/** A profile with colorant tags only; X and Z are zero. */
function profile(luminances: Record<string, number>): Buffer {
  const tags = Object.entries(luminances)
  const bytes = Buffer.alloc(132 + 12 * tags.length + 20 * tags.length)
  bytes.writeUInt32BE(tags.length, 128)
  for (const [index, [signature, luminance]] of tags.entries()) {
    const entry = 132 + 12 * index
    const offset = 132 + 12 * tags.length + 20 * index
    bytes.write(signature, entry, 'latin1')
    bytes.writeUInt32BE(offset, entry + 4)
    bytes.writeUInt32BE(20, entry + 8)
    bytes.write('XYZ ', offset, 'latin1')
    bytes.writeInt32BE(Math.round(luminance * 65_536), offset + 12)
  }
  return bytes
}

describe('isEditingSpace', () => {
  test('is true for imaginary primaries, as in ProPhoto RGB', () => {
    expect(isEditingSpace(profile({ rXYZ: 0.288, gXYZ: 0.7119, bXYZ: 0.0001 }))).toBe(true)
  })

  test('is false for sRGB, Display P3 and Adobe RGB', () => {
    expect(isEditingSpace(profile({ rXYZ: 0.2225, gXYZ: 0.7169, bXYZ: 0.0606 }))).toBe(false)
    expect(isEditingSpace(profile({ rXYZ: 0.2412, gXYZ: 0.6922, bXYZ: 0.0666 }))).toBe(false)
    expect(isEditingSpace(profile({ rXYZ: 0.3111, gXYZ: 0.6257, bXYZ: 0.0632 }))).toBe(false)
  })

  test('is false for a damaged profile', () => {
    const whole = profile({ bXYZ: 0 })
    for (let length = 0; length < whole.length; length += 7)
      expect(isEditingSpace(whole.subarray(0, length))).toBe(false)
  })
})

describe('isSrgb', () => {
  const profileOf = async (name: string) => {
    const image = sharp({
      create: { width: 32, height: 32, channels: 3, background: '#777' },
    }).withIccProfile(name)
    return (await sharp(await image.jpeg().toBuffer()).metadata()).icc!
  }

  test('is true for sRGB and false for Display P3', async () => {
    expect(isSrgb(await profileOf('srgb'))).toBe(true)
    expect(isSrgb(await profileOf('p3'))).toBe(false)
  })

  test('is false for sRGB primaries with a different tone curve', async () => {
    const linear = Buffer.from(await profileOf('srgb'))
    for (let offset = linear.indexOf('para'); offset >= 0; offset = linear.indexOf('para', offset + 4))
      linear.writeInt32BE(65_536, offset + 12)
    for (let offset = linear.indexOf('curv'); offset >= 0; offset = linear.indexOf('curv', offset + 4))
      linear.writeUInt32BE(0, offset + 8)
    expect(isSrgb(linear)).toBe(false)
  })

  test('is false for a damaged profile', async () => {
    const whole = await profileOf('srgb')
    for (let length = 0; length < whole.length - 64; length += 13)
      expect(isSrgb(whole.subarray(0, length))).toBe(false)
  })
})
