/** One grid of YuNet's output, row by row; a cell is `stride` pixels wide and high. */
export interface FaceGrid {
  readonly stride: number
  /** Probability that the cell contains a face; one value per cell. */
  readonly cls: Float32Array
  /** Probability that a box is centred here; one value per cell. */
  readonly obj: Float32Array
  /** Centre offset x, y and log width, log height, in strides; four values per cell. */
  readonly bbox: Float32Array
}

/** The holder's portrait on a document; `x`, `y`, `width`, `height` as fractions of the upright image. */
export interface PortraitReading {
  /** 0 to 1. */
  readonly score: number
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Minimum score of a face; small prints of faces next to the portrait rarely reach it. */
const MIN_SCORE = 0.6

/**
 * The highest-scoring face of an image of `width` × `height` pixels, placed in the upper left corner of an input with
 * rows of `inputWidth` pixels; null when there is none (Wu, Peng, Yu: "YuNet: A Tiny Millisecond-level Face Detector",
 * 2023, section 3: score = √(cls · obj), centre = (cell + offset) · stride, size = exp(log size) · stride).
 */
export function bestFace(
  grids: readonly FaceGrid[],
  inputWidth: number,
  { width, height }: { readonly width: number; readonly height: number },
): PortraitReading | null {
  let best: { grid: FaceGrid; cell: number; score: number } | null = null
  for (const grid of grids) {
    for (let cell = 0; cell < grid.cls.length; cell++) {
      const score = Math.sqrt(clip(grid.cls[cell]!) * clip(grid.obj[cell]!))
      if (score >= MIN_SCORE && score > (best?.score ?? 0)) best = { grid, cell, score }
    }
  }
  if (best === null) return null
  const { grid, cell, score } = best
  const [dx, dy, logWidth, logHeight] = [0, 1, 2, 3].map((n) => grid.bbox[cell * 4 + n]!) as [
    number,
    number,
    number,
    number,
  ]
  const columns = inputWidth / grid.stride
  const boxWidth = Math.exp(logWidth) * grid.stride
  const boxHeight = Math.exp(logHeight) * grid.stride
  return {
    score,
    x: ((cell % columns) + dx) * (grid.stride / width) - boxWidth / width / 2,
    y: (Math.floor(cell / columns) + dy) * (grid.stride / height) - boxHeight / height / 2,
    width: boxWidth / width,
    height: boxHeight / height,
  }
}

const clip = (value: number) => Math.min(1, Math.max(0, value))
