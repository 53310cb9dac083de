import { describe, expect, test } from '@jest/globals'
import type { PrintedLine } from './printed-line.ts'
import { readVisualZone } from './visual-zone.ts'

const today = new Date('2026-01-31T12:00:00Z')

/** A printed line 20 high at a position; small print is 12 high. */
const at = (left: number, top: number, text: string, height = 20, confidence = 0.99): PrintedLine => ({
  text,
  confidence,
  left,
  top,
  right: left + text.length * height * 0.55,
  bottom: top + height,
})
const values = (lines: PrintedLine[]) =>
  Object.fromEntries(Object.entries(readVisualZone(lines, today)).map(([key, value]) => [key, value?.value]))

describe('readVisualZone', () => {
  test('reads the value below each label, in columns', () => {
    const lines = [
      at(0, 0, 'Surname / Nom', 12),
      at(0, 16, 'PARAUDZINS'),
      at(300, 0, 'Given names / Prenoms', 12),
      at(300, 16, 'ANDRIS'),
      at(0, 50, 'Document No.', 12),
      at(0, 66, 'PA 9992921'),
      at(300, 50, 'Date of birth', 12),
      at(300, 66, '12 DEC 1982'),
      at(0, 100, 'Date of issue', 12),
      at(0, 116, '05 MAR 2007'),
      at(300, 100, 'Date of expiry', 12),
      at(300, 116, '05 MAR 2017'),
      at(0, 150, 'Sex', 12),
      at(0, 166, 'M'),
    ]
    expect(values(lines)).toEqual({
      surname: 'PARAUDZINS',
      given_names: 'ANDRIS',
      document_number: 'PA9992921',
      birth_date: '1982-12-12',
      expiry_date: '2017-03-05',
      sex: 'M',
    })
  })

  test('reads the value to the right of a label', () => {
    expect(values([at(0, 0, 'Date of birth'), at(200, 1, '12.12.1982')])).toEqual({
      birth_date: '1982-12-12',
    })
  })

  test('does not assign the value of the next label to an empty field', () => {
    const lines = [at(0, 0, 'Date of birth', 12), at(0, 16, 'Date of expiry', 12), at(0, 32, '05 MAR 2030')]
    expect(values(lines)).toEqual({ expiry_date: '2030-03-05' })
  })

  test('joins a label that detection split in two', () => {
    const lines = [at(0, 0, 'Docum', 12), at(34, 0, 'ment No.', 12), at(0, 16, 'XX000000')]
    expect(values(lines)).toEqual({ document_number: 'XX000000' })
  })

  test('finds a surname with an illegible label above the given names', () => {
    const lines = [at(0, 0, 'TKACHENKO'), at(0, 26, 'Given names', 12), at(0, 42, 'MARIANA')]
    expect(values(lines)).toEqual({ surname: 'TKACHENKO', given_names: 'MARIANA' })
  })

  test('finds both names above the first legible label of their column', () => {
    const lines = [
      at(0, -60, 'REPUBLIC OF UTO'),
      at(200, 0, 'GAIMU'),
      at(200, 40, 'SAKURA'),
      at(200, 66, 'Document No.', 12),
      at(200, 82, 'XS1234567'),
    ]
    expect(values(lines)).toEqual({ surname: 'GAIMU', given_names: 'SAKURA', document_number: 'XS1234567' })
  })

  test('reads a name that is also a label text', () => {
    expect(values([at(0, 0, 'Given names', 12), at(0, 16, 'FIRST NAME')])).toEqual({
      given_names: 'FIRST NAME',
    })
  })

  test('omits noise and values of the wrong kind', () => {
    const lines = [
      at(0, 0, 'Surname', 12),
      at(0, 16, '12345'),
      at(300, 0, 'Given names', 12),
      at(300, 16, 'QWX', 20, 0.3),
    ]
    expect(values(lines)).toEqual({})
  })

  test('processes a page of noise quickly', () => {
    const lines = Array.from({ length: 300 }, (_, i) =>
      at((i % 20) * 40, Math.floor(i / 20) * 25, `noise ${i} text`),
    )
    const before = process.cpuUsage()
    readVisualZone(lines, today)
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1_500)
  })
})
