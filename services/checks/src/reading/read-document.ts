import { measureQuality, QUALITY_LONG_SIDE } from '../domain/document/quality.ts'
import { measureScreenPattern } from '../domain/document/screen-pattern.ts'
import type { ScannedSide } from '../domain/document/side-reading.ts'
import { readVisualZone } from '../domain/document/visual-zone.ts'
import { scanBarcodes } from './barcode-reader.ts'
import type { ReadingEngine } from './engine.ts'
import { growRectangle, type Quad, quadCenter, quadHeight } from './geometry.ts'
import type { TextLine } from './page-text.ts'
import { tiltOf, toPrintedLines } from './printed-lines.ts'
import { decodeImage, type Raster, resizeRaster, toGrey } from './raster.ts'

/** A line cut off by the edge of the photo counts only with high confidence. */
const CROPPED_CONFIDENCE = 0.8

/**
 * Reads one photo of one side of a document: quality, MRZ, visual zone, codes. `today` resolves two-digit years. Throws
 * `unprocessable` for an unreadable image; an image without text gives an empty reading.
 */
export async function readDocument(
  engine: ReadingEngine,
  image: Uint8Array,
  options: { readonly today: Date },
): Promise<ScannedSide> {
  const { raster, originalWidth, originalHeight } = await decodeImage(image)
  const measured = measureQuality(await greyCopy(raster), Math.min(originalWidth, originalHeight))
  const page = await engine.readText(raster)
  const zone = await engine.readZone(raster, page, options.today)
  const outside = zone
    ? page.lines.filter((line) => !zone.quads.some((quad) => covers(quad, line.quad)))
    : page.lines
  const lines = toPrintedLines(outside)
  return {
    quality: { ...measured, cropped: isCropped(raster, page.lines, zone?.quads ?? []) },
    screenPattern: measureScreenPattern(raster),
    mrz: zone && {
      document: zone.document,
      holds: zone.holds,
      doubtful: zone.doubtful,
      confidence: zone.confidence,
      readers: zone.readers,
    },
    lines,
    portrait: await engine.findPortrait(raster, page),
    visual: readVisualZone(lines, options.today),
    // A valid MRZ contains everything that a code could add, so the search is skipped.
    codes: zone?.holds ? [] : await scanBarcodes(raster, tiltOf(page.lines)),
  }
}

async function greyCopy(raster: Raster): Promise<Raster> {
  const scale = QUALITY_LONG_SIDE / Math.max(raster.width, raster.height)
  const width = Math.max(1, Math.round(raster.width * scale))
  const height = Math.max(1, Math.round(raster.height * scale))
  return toGrey(await resizeRaster(raster, width, height))
}

/** Whether a line's centre lies inside a line of the MRZ. */
function covers(zone: Quad, line: Quad): boolean {
  const p = quadCenter(line)
  return zone.every((corner, i) => {
    const next = zone[(i + 1) % 4]!
    return (next.x - corner.x) * (p.y - corner.y) - (next.y - corner.y) * (p.x - corner.x) >= 0
  })
}

/** Whether text extends beyond the image. Boxes are larger than the letters, so they are shrunk before the test. */
function isCropped({ width, height }: Raster, lines: readonly TextLine[], zone: readonly Quad[]): boolean {
  const quads = [
    ...lines
      .filter((line) => line.confidence >= CROPPED_CONFIDENCE && line.text.length > 2)
      .map((line) => line.quad),
    ...zone,
  ]
  return quads.some((quad) => {
    const inset = -0.3 * quadHeight(quad)
    return growRectangle(quad, inset, inset).some(
      (p) => p.x < 1 || p.y < 1 || p.x > width - 1 || p.y > height - 1,
    )
  })
}
