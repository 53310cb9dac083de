/** Fourier transforms of square patches, for measures that detect periodic patterns. */
export class Spectrum {
  readonly size: number
  readonly #cos: Float64Array
  readonly #sin: Float64Array
  readonly #window: Float64Array
  readonly #reversed: Uint16Array

  /** `size`: side of the patches in pixels, a power of two. */
  constructor(size: number) {
    this.size = size
    const half = size / 2
    this.#cos = Float64Array.from({ length: half }, (_, i) => Math.cos((2 * Math.PI * i) / size))
    this.#sin = Float64Array.from({ length: half }, (_, i) => -Math.sin((2 * Math.PI * i) / size))
    // Hann window; without it the patch borders would leak into all bins near the axes.
    this.#window = Float64Array.from(
      { length: size },
      (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 0.5)) / size),
    )
    const bits = Math.log2(size)
    this.#reversed = Uint16Array.from({ length: size }, (_, i) => {
      let reversed = 0
      for (let bit = 0; bit < bits; bit++) reversed |= ((i >> bit) & 1) << (bits - 1 - bit)
      return reversed
    })
  }

  /**
   * Power spectra of two real patches (row by row, `size` × `size`) at the cost of one. Frequencies are in the usual
   * order: 0 to `size`/2 − 1, then the negative ones. Subtracts the mean and applies a Hann window first.
   */
  powersOf(first: Float64Array, second: Float64Array): [Float64Array, Float64Array] {
    const { size } = this
    const re = this.#windowed(first)
    const im = this.#windowed(second)
    for (let y = 0; y < size; y++) this.#transform(re, im, y * size, 1)
    for (let x = 0; x < size; x++) this.#transform(re, im, x, size)
    const powers: [Float64Array, Float64Array] = [
      new Float64Array(size * size),
      new Float64Array(size * size),
    ]
    for (let y = 0; y < size; y++) {
      const mirroredRow = ((size - y) % size) * size
      for (let x = 0; x < size; x++) {
        const at = y * size + x
        const mirrored = mirroredRow + ((size - x) % size)
        // The spectrum of a real signal is Hermitian, so the two parts can be separated again.
        powers[0][at] = ((re[at]! + re[mirrored]!) ** 2 + (im[at]! - im[mirrored]!) ** 2) / 4
        powers[1][at] = ((im[at]! + im[mirrored]!) ** 2 + (re[at]! - re[mirrored]!) ** 2) / 4
      }
    }
    return powers
  }

  #windowed(patch: Float64Array): Float64Array {
    const { size } = this
    let sum = 0
    for (let i = 0; i < patch.length; i++) sum += patch[i]!
    const mean = sum / patch.length
    const windowed = new Float64Array(size * size)
    for (let y = 0, i = 0; y < size; y++) {
      for (let x = 0; x < size; x++, i++)
        windowed[i] = (patch[i]! - mean) * this.#window[x]! * this.#window[y]!
    }
    return windowed
  }

  /** In-place Cooley-Tukey FFT over `size` values that are `stride` apart. */
  #transform(re: Float64Array, im: Float64Array, start: number, stride: number): void {
    const { size } = this
    for (let i = 0; i < size; i++) {
      const j = this.#reversed[i]!
      if (j <= i) continue
      const a = start + i * stride
      const b = start + j * stride
      ;[re[a], re[b]] = [re[b]!, re[a]!]
      ;[im[a], im[b]] = [im[b]!, im[a]!]
    }
    for (let span = 1; span < size; span *= 2) {
      const step = size / (2 * span)
      for (let block = 0; block < size; block += 2 * span) {
        for (let k = 0; k < span; k++) {
          const c = this.#cos[k * step]!
          const s = this.#sin[k * step]!
          const a = start + (block + k) * stride
          const b = a + span * stride
          const tr = re[b]! * c - im[b]! * s
          const ti = re[b]! * s + im[b]! * c
          re[b] = re[a]! - tr
          im[b] = im[a]! - ti
          re[a]! += tr
          im[a]! += ti
        }
      }
    }
  }
}
