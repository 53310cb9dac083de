/** Pixels in sRGB, 8 bits a sample, interleaved R, G, B, rows top to bottom, no row padding. */
export type RgbImage = {
  data: Uint8Array
  /** In pixels. */
  width: number
  /** In pixels. */
  height: number
}

export type Point = { x: number; y: number }

/** In pixels of its image; may extend beyond the image's edges. */
export type Box = { x: number; y: number; width: number; height: number }
