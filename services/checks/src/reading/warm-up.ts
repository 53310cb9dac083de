import type { ReadingEngine } from './engine.ts'
import type { Raster } from './raster.ts'

/** The first run of a model compiles kernels and grows buffers; do it here so that no person's photo waits for it. */
export async function warmUp(engine: ReadingEngine): Promise<void> {
  const width = 320
  const height = 224
  const data = new Uint8Array(width * height * 3).fill(235)
  // Dark bars that resemble text lines, so that the detector finds something to read.
  for (const top of [40, 100, 160]) {
    for (let y = top; y < top + 16; y++) {
      for (let x = 30; x < 290; x++)
        if (x % 12 < 7) data.fill(30, (y * width + x) * 3, (y * width + x) * 3 + 3)
    }
  }
  const image: Raster = { data, width, height, channels: 3 }
  const page = await engine.readText(image)
  await engine.readZone(image, page, new Date(0))
  await engine.findPortrait(image, page)
}
