import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { beforeAll, describe, expect, test } from '@jest/globals'
import sharp from 'sharp'
import { prepareZXingModule, writeBarcode } from 'zxing-wasm/writer'
import { scanBarcodes } from './barcode-reader.ts'
import type { Raster } from './raster.ts'

beforeAll(async () => {
  const path = createRequire(import.meta.url).resolve('zxing-wasm/writer/zxing_writer.wasm')
  const wasm = readFileSync(path)
  const wasmBinary = wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength) as ArrayBuffer
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true })
})

/** A photo of a card with a code, rotated by some degrees and compressed. */
async function photo(text: string, format: 'PDF417' | 'QRCode', degrees: number): Promise<Raster> {
  const { svg } = await writeBarcode(text, { format, scale: 4 })
  const code = await sharp(Buffer.from(svg))
    .flatten({ background: '#fff' })
    .resize({ width: 900, kernel: 'nearest' })
    .png()
    .toBuffer()
  const card = await sharp({ create: { width: 1300, height: 1000, channels: 3, background: '#e8ecf0' } })
    .composite([{ input: code }])
    .jpeg({ quality: 80 })
    .toBuffer()
  const { data, info } = await sharp(card)
    .rotate(degrees, { background: '#555' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: 3 }
}

describe('scanBarcodes', () => {
  test.each([0, 7, 90])('reads a PDF417 of a licence rotated by %i degrees', async (degrees) => {
    const text =
      '@\n\u001e\rANSI 636026080102DL00410288ZA03290015DLDAQD12345678\nDCSSAMPLE\nDACMICHAEL\nDBB06061986'
    expect(await scanBarcodes(await photo(text, 'PDF417', degrees), (degrees * Math.PI) / 180)).toEqual([
      { symbology: 'pdf417', text },
    ])
  })

  test('reads a dense QR code of digits', async () => {
    const text = '7'.repeat(1800)
    expect(await scanBarcodes(await photo(text, 'QRCode', 4))).toEqual([{ symbology: 'qr', text }])
  })

  test('finds nothing on an empty page', async () => {
    const data = new Uint8Array(640 * 480 * 3).fill(200)
    expect(await scanBarcodes({ data, width: 640, height: 480, channels: 3 })).toEqual([])
  })
})
