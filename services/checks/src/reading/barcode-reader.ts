import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import sharp from 'sharp'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import type { ScannedCode } from '../domain/document/barcode.ts'
import type { Raster } from './raster.ts'

/**
 * The longer side to which an image is reduced before codes are searched, in pixels; dense PDF417 needs this
 * resolution.
 */
const LONG_SIDE = 2400
const MAX_CODES = 4

let prepared: Promise<unknown> | null = null

/** Loads the WASM module from its package, so that nothing is downloaded. */
function prepare(): Promise<unknown> {
  prepared ??= readFile(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')).then(
    (wasm) =>
      prepareZXingModule({
        overrides: {
          wasmBinary: wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength) as ArrayBuffer,
        },
        fireImmediately: true,
      }),
  )
  return prepared
}

/**
 * Finds the two-dimensional codes that documents carry: PDF417 (driving licences) and QR (Aadhaar). `tiltRadians` is
 * the clockwise tilt of the print, because rows of a PDF417 are found only when nearly level.
 */
export async function scanBarcodes(image: Raster, tiltRadians = 0): Promise<ScannedCode[]> {
  await prepare()
  const pixels = await levelPixels(image, tiltRadians)
  const found = await readBarcodes(
    { ...pixels, colorSpace: 'srgb' },
    {
      formats: ['PDF417', 'QRCode'],
      // The content itself, not a human-readable rendering of it.
      textMode: 'Plain',
      tryHarder: true,
      tryRotate: true,
      maxNumberOfSymbols: MAX_CODES,
    },
  )
  return found
    .filter((code) => code.isValid)
    .map((code) => ({ symbology: code.format === 'PDF417' ? 'pdf417' : 'qr', text: code.text }))
}

async function levelPixels(image: Raster, tiltRadians: number) {
  const scale = Math.min(1, LONG_SIDE / Math.max(image.width, image.height))
  const { data, info } = await sharp(image.data, {
    raw: { width: image.width, height: image.height, channels: image.channels },
  })
    .resize({ width: Math.round(image.width * scale), height: Math.round(image.height * scale), fit: 'fill' })
    .rotate((-tiltRadians * 180) / Math.PI, { background: '#808080' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data: new Uint8ClampedArray(data), width: info.width, height: info.height }
}
