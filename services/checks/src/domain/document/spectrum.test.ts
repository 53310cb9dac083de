import { expect, test } from '@jest/globals'
import { Spectrum } from './spectrum.ts'

const size = 32
const wave = (x: number, y: number, height: number) =>
  Float64Array.from(
    { length: size * size },
    (_, i) => 100 + height * Math.cos((2 * Math.PI * (x * (i % size) + y * Math.floor(i / size))) / size),
  )
const highest = (power: Float64Array) => power.indexOf(Math.max(...power))

test('finds the frequency of each of two patches transformed together', () => {
  const [first, second] = new Spectrum(size).powersOf(wave(5, 3, 10), wave(2, 9, 40))
  expect([3 * size + 5, (size - 3) * size + size - 5]).toContain(highest(first))
  expect([9 * size + 2, (size - 9) * size + size - 2]).toContain(highest(second))
  expect(first[9 * size + 2]!).toBeLessThan(1e-6 * second[9 * size + 2]!)
})

test('has the power of the patch under its window (Parseval)', () => {
  const patch = Float64Array.from({ length: size * size }, (_, i) => (i * 7919) % 256)
  const [power] = new Spectrum(size).powersOf(patch, patch)
  const mean = patch.reduce((sum, value) => sum + value, 0) / patch.length
  const hann = (i: number) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 0.5)) / size)
  const expected = patch.reduce(
    (sum, value, i) => sum + ((value - mean) * hann(i % size) * hann(Math.floor(i / size))) ** 2,
    0,
  )
  const total = power.reduce((sum, value) => sum + value, 0) / (size * size)
  expect(total).toBeCloseTo(expected, 3)
})
