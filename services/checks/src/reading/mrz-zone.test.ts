import { describe, expect, test } from '@jest/globals'
import type { Point, Quad } from './geometry.ts'
import { locateZone } from './mrz-zone.ts'

const upper = 'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<'
const lower = 'L898902C36UTO7408122F1204159ZE184226B<<<<<10'

/** A line of text 30 high with characters 20 wide, on a page tilted by some radians. */
function line(text: string, left: number, top: number, lean = 0) {
  const turn = (x: number, y: number): Point => ({
    x: x * Math.cos(lean) - y * Math.sin(lean),
    y: x * Math.sin(lean) + y * Math.cos(lean),
  })
  const right = left + text.length * 20
  const quad: Quad = [turn(left, top), turn(right, top), turn(right, top + 30), turn(left, top + 30)]
  return { text, quad }
}

describe('locateZone', () => {
  test.each([0, 0.1, -0.2])('finds both lines of a page tilted by %f', (lean) => {
    const lines = [
      line('Surname / Nom', 0, 100, lean),
      line(upper, 50, 700, lean),
      line(lower, 50, 752, lean),
    ]
    expect(locateZone(lines).map(({ whole }) => whole)).toEqual([1, 2])
  })

  test('joins pieces of a line and extends them to the width of the MRZ', () => {
    const lines = [
      line(upper.slice(0, 22), 50, 700),
      line('<<<<<<<<', 50 + 30 * 20, 700),
      line(lower, 50, 752),
    ]
    const zone = locateZone(lines)
    expect(zone.map(({ whole }) => whole)).toEqual([null, 2])
    expect(zone[0]!.quad[0].x).toBeCloseTo(50, 0)
    expect(zone[0]!.quad[1].x).toBeCloseTo(50 + 44 * 20, 0)
    expect(zone[0]!.quad[0].y).toBeCloseTo(700, 0)
  })

  test('does not include printed text above the MRZ', () => {
    const lines = [
      line('REPUBLIC OF UTOPIA', 50, 100),
      line('CESKAREPUBLIKA/CZECHREPUBLIC', 50, 500),
      line(upper, 50, 700),
      line(lower, 50, 752),
    ]
    expect(locateZone(lines)).toHaveLength(2)
  })

  test('finds three lines, one of them without fillers', () => {
    const lines = [
      line('I<UTOD231458907<<<<<<<<<<<<<<<', 50, 600),
      line('7408122F1204159UTO00000000000X6', 50, 652),
      line('ERIKSSON<<ANNA<MARIA<<<<<<<<<<', 50, 704),
    ]
    expect(locateZone(lines)).toHaveLength(3)
  })

  test('finds nothing on a page without an MRZ', () => {
    expect(locateZone([line('Surname', 0, 0), line('DOE', 0, 40), line('A << B', 0, 80)])).toEqual([])
    expect(locateZone([])).toEqual([])
  })
})
