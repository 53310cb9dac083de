import sharp from 'sharp'
import { decodeImage, type Raster } from '../../../services/checks/src/reading/raster.ts'

/** How a camera captures a screen or a print: flat, rotated, slightly blurred, with noise, stored as a JPEG. */
export interface Recapture {
  /** Camera pixels per screen pixel, or per cell of the print raster. */
  readonly scale: number
  /** Degrees. */
  readonly angle: number
  /** Standard deviation of the optical blur in camera pixels; 0: none. */
  readonly blur: number
  /** JPEG quality. */
  readonly quality: number
}

/** Size of the recaptured picture in pixels: enough for every patch that is analysed. */
const WIDTH = 1280
const HEIGHT = 896
const SAMPLES = 3

const toLight = Float64Array.from({ length: 256 }, (_, value) => (value / 255) ** 2.2)
const fromLight = (light: number) => 255 * Math.min(1, Math.max(0, light)) ** (1 / 2.2)

/** Maps a point in the plane of the document, in its pixels, to the light that it emits, one value per channel. */
type Surface = (x: number, y: number, light: Float64Array) => void

/** The picture on a panel with a red, a green and a blue stripe in every pixel. */
export function recaptureScreen(source: Raster, how: Recapture): Promise<Raster> {
  const turn = (how.angle * Math.PI) / 180
  return photograph(how, (x, y, light) => {
    const u = (x * Math.cos(turn) + y * Math.sin(turn)) / how.scale
    const v = (y * Math.cos(turn) - x * Math.sin(turn)) / how.scale
    const column = Math.floor(u)
    const row = Math.floor(v)
    const at = pixelAt(source, column, row)
    const across = u - column
    const between = v - row < 0.06 || v - row > 0.94
    for (let c = 0; c < 3; c++) {
      const lit = !between && Math.abs(across - (c + 0.5) / 3) < 0.13
      // Each stripe covers a quarter of the pixel; the panel's brightness compensates for that.
      light[c] = lit ? toLight[source.data[at + c]!]! * 4 : 0
    }
  })
}

/** The angle of each ink's raster in degrees: cyan, magenta, yellow, black, as used by printers. */
const RASTER_ANGLES = [15, 75, 0, 45].map((degrees) => (degrees * Math.PI) / 180)
/** Document pixels per camera pixel of the print. */
const PRINT_REDUCTION = 1.1

/** The picture printed in four inks by dots whose size encodes the tone. */
export function recapturePrint(source: Raster, how: Recapture): Promise<Raster> {
  const turn = (how.angle * Math.PI) / 180
  return photograph(how, (x, y, light) => {
    const at = pixelAt(source, Math.floor(x * PRINT_REDUCTION), Math.floor(y * PRINT_REDUCTION))
    const tones = [0, 1, 2].map((c) => 1 - toLight[source.data[at + c]!]!)
    const black = Math.min(...tones) * 0.7
    light.fill(1)
    RASTER_ANGLES.forEach((angle, ink) => {
      const tone = ink === 3 ? black : tones[ink]! - black
      const a = angle + turn
      const u = (x * Math.cos(a) + y * Math.sin(a)) / how.scale
      const v = (y * Math.cos(a) - x * Math.sin(a)) / how.scale
      const dot = 0.5 + (Math.cos(2 * Math.PI * u) + Math.cos(2 * Math.PI * v)) / 4
      if (dot <= 1 - tone) return
      for (let c = 0; c < 3; c++) if (ink === 3 || ink === c) light[c]! *= 0.06
    })
  })
}

const pixelAt = ({ width, height }: Raster, x: number, y: number) =>
  ((((y % height) + height) % height) * width + (((x % width) + width) % width)) * 3

async function photograph({ blur, quality }: Recapture, surface: Surface): Promise<Raster> {
  const data = new Uint8Array(WIDTH * HEIGHT * 3)
  const light = new Float64Array(3)
  const sum = new Float64Array(3)
  let seed = 7
  const noise = () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return (seed / 2 ** 32 - 0.5) * 8
  }
  for (let y = 0, o = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      sum.fill(0)
      for (let s = 0; s < SAMPLES * SAMPLES; s++) {
        surface(x + ((s % SAMPLES) + 0.5) / SAMPLES, y + (Math.floor(s / SAMPLES) + 0.5) / SAMPLES, light)
        for (let c = 0; c < 3; c++) sum[c]! += light[c]!
      }
      for (let c = 0; c < 3; c++) {
        data[o++] = Math.min(255, Math.max(0, fromLight(sum[c]! / SAMPLES ** 2) + noise()))
      }
    }
  }
  const picture = sharp(data, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
  const jpeg = await (blur > 0.3 ? picture.blur(blur) : picture).jpeg({ quality }).toBuffer()
  return (await decodeImage(jpeg)).raster
}
