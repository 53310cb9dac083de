import { describe, expect, test } from '@jest/globals'
import { imageFormat, isAnimated } from './image-format.ts'

const chunk = (type: string, length = 0) => {
  const bytes = Buffer.alloc(12 + length)
  bytes.writeUInt32BE(length)
  bytes.write(type, 4, 'latin1')
  return bytes
}
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const png = (...chunks: Buffer[]) => Buffer.concat([signature, chunk('IHDR', 13), ...chunks])
const webp = (chunkName: string, flags: number) => {
  const bytes = Buffer.alloc(30)
  bytes.write('RIFF', 0, 'latin1')
  bytes.write(`WEBP${chunkName}`, 8, 'latin1')
  bytes[20] = flags
  return bytes
}

describe('imageFormat', () => {
  test('detects the format by the first bytes', () => {
    expect(imageFormat(Buffer.from([0xff, 0xd8, 0xff, 0xe0]))).toBe('jpeg')
    expect(imageFormat(png())).toBe('png')
    expect(imageFormat(webp('VP8 ', 0))).toBe('webp')
  })

  test('rejects other formats and fragments', () => {
    for (const text of ['', 'GIF89a', '%PDF-1.7', '<svg', 'RIFF....AVI ', '\u0000\u0000\u0000 ftypheic'])
      expect(imageFormat(Buffer.from(text, 'latin1'))).toBeNull()
    expect(imageFormat(signature.subarray(0, 7))).toBeNull()
  })
})

describe('isAnimated', () => {
  test('detects an animation chunk only before the image data', () => {
    expect(isAnimated(png(chunk('acTL', 8), chunk('IDAT')), 'png')).toBe(true)
    expect(isAnimated(png(chunk('tEXt', 40), chunk('acTL', 8)), 'png')).toBe(true)
    expect(isAnimated(png(chunk('IDAT'), chunk('acTL', 8)), 'png')).toBe(false)
  })

  test('stops at a chunk whose length exceeds the file', () => {
    const broken = chunk('tEXt')
    broken.writeUInt32BE(0xffffffff)
    expect(isAnimated(png(broken, chunk('acTL', 8)), 'png')).toBe(false)
  })

  test('detects the animation bit of an extended WebP', () => {
    expect(isAnimated(webp('VP8X', 0x02), 'webp')).toBe(true)
    expect(isAnimated(webp('VP8X', 0x10), 'webp')).toBe(false)
    expect(isAnimated(webp('VP8 ', 0x02), 'webp')).toBe(false)
  })
})
