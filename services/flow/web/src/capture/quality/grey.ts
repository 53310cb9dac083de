/** A greyscale picture in row-major order, 0 (black) to 255 (white). */
export type Grey = { data: Uint8ClampedArray; width: number; height: number }

/** Converts RGBA pixels to BT.601 luma. */
export function greyOf(rgba: Uint8ClampedArray, width: number, height: number): Grey {
  const data = new Uint8ClampedArray(width * height)
  for (let pixel = 0, source = 0; pixel < data.length; pixel += 1, source += 4)
    data[pixel] = 0.299 * rgba[source]! + 0.587 * rgba[source + 1]! + 0.114 * rgba[source + 2]!
  return { data, width, height }
}

/** Mean over a rectangle, clipped to the picture. */
export function meanIn(
  { data, width, height }: Grey,
  area: { x: number; y: number; width: number; height: number },
): number {
  const [left, top] = [Math.max(0, Math.round(area.x)), Math.max(0, Math.round(area.y))]
  const right = Math.min(width, Math.round(area.x + area.width))
  const bottom = Math.min(height, Math.round(area.y + area.height))
  let sum = 0
  for (let y = top; y < bottom; y += 1) for (let x = left; x < right; x += 1) sum += data[y * width + x]!
  return sum / Math.max(1, (right - left) * (bottom - top))
}

/** Mean absolute difference of two pictures of the same size, in levels; 0 if there is no earlier one. */
export function differenceOf(a: Grey, b: Grey | null): number {
  if (!b || b.data.length !== a.data.length) return 0
  let sum = 0
  for (let index = 0; index < a.data.length; index += 1) sum += Math.abs(a.data[index]! - b.data[index]!)
  return sum / a.data.length
}

/** Minimum variance of a tile; without contrast its sharpness cannot be measured. */
const leastVariance = 100

/**
 * Sharpness of the sharpest parts of a picture at native size. For each 64-pixel tile, the variance of the Laplacian
 * divided by the variance of the pixels, so that faint print does not count as blur. Returns the upper quartile of the
 * tiles with contrast, because a card is mostly plain; null if no tile has contrast.
 */
export function sharpnessOf({ data, width, height }: Grey, tile = 64): number | null {
  const found: number[] = []
  for (let top = 0; top + tile <= height; top += tile) {
    for (let left = 0; left + tile <= width; left += tile) {
      const ratio = tileSharpness(data, width, left, top, tile)
      if (ratio !== null) found.push(ratio)
    }
  }
  if (found.length === 0) return null
  found.sort((a, b) => b - a)
  return found[Math.floor(found.length / 4)]!
}

function tileSharpness(
  data: Uint8ClampedArray,
  width: number,
  left: number,
  top: number,
  tile: number,
): number | null {
  let [sum, squares, edges, edgeSquares, count] = [0, 0, 0, 0, 0]
  for (let y = top + 1; y < top + tile - 1; y += 1) {
    for (let x = left + 1; x < left + tile - 1; x += 1) {
      const at = y * width + x
      const value = data[at]!
      const edge = data[at - 1]! + data[at + 1]! + data[at - width]! + data[at + width]! - 4 * value
      sum += value
      squares += value * value
      edges += edge
      edgeSquares += edge * edge
      count += 1
    }
  }
  const variance = squares / count - (sum / count) ** 2
  if (variance < leastVariance) return null
  return (edgeSquares / count - (edges / count) ** 2) / (variance + 25)
}
