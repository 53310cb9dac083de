import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { isSameMrzName, toMrzName } from './to-mrz-name.ts'

describe('toMrzName', () => {
  test.each([
    ['Müller-Lüdenscheidt', 'MUELLER<LUEDENSCHEIDT'],
    ["D'Artagnan", 'DARTAGNAN'],
    ['O’Connor', 'OCONNOR'],
    ['Straße', 'STRASSE'],
    ['Þórr Ægir', 'THORR<AEGIR'],
    ['Søren Åberg', 'SOEREN<AABERG'],
    ['Łukasz Żółć', 'LUKASZ<ZOLC'],
    ['Núñez  de la Peña', 'NUNEZ<DE<LA<PENA'],
    ['Nguyễn Thị', 'NGUYEN<THI'],
    ['Şahin İpek Işık', 'SAHIN<IPEK<ISIK'],
    ['Щербаков Юрий', 'SHCHERBAKOV<IURII'],
    ['J. R. Smith, Jr.', 'J<R<SMITH<JR'],
    ['', ''],
  ])('spells %s as %s', (name, spelled) => {
    expect(toMrzName(name)).toBe(spelled)
  })

  test('returns only letters and single fillers between them, for any input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), (name) => {
        expect(toMrzName(name)).toMatch(/^$|^[A-Z]+(?:<[A-Z]+)*$/)
      }),
      { numRuns: 60 },
    )
  })
})

describe('isSameMrzName', () => {
  test('accepts every transliteration that issuers use', () => {
    for (const spelled of ['MUELLER', 'MULLER', 'MUXXLLER'])
      expect(isSameMrzName('Müller', spelled)).toBe(true)
    for (const spelled of ['NUNEZ', 'NUNXXEZ']) expect(isSameMrzName('Núñez', spelled)).toBe(true)
    expect(isSameMrzName('Søren Åberg', 'SOREN AABERG')).toBe(true)
  })

  test('distinguishes other names', () => {
    expect(isSameMrzName('Müller', 'MILLER')).toBe(false)
    expect(isSameMrzName('Anna', 'ANNA MARIA')).toBe(false)
    expect(isSameMrzName('Anna Maria', 'ANNA')).toBe(false)
    expect(isSameMrzName('', 'ANNA')).toBe(false)
  })

  test('accepts a prefix only for a truncated name', () => {
    expect(isSameMrzName('Amelia Vanessa', 'AMELIA VANESS', true)).toBe(true)
    expect(isSameMrzName('Amelia Vanessa', 'AMELIA VANESS')).toBe(false)
    expect(isSameMrzName('Müller', 'MU', true)).toBe(true)
    expect(isSameMrzName('Amelia', 'AMALI', true)).toBe(false)
  })

  test('a name is the same as its own spelling', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-zäöüßñøåæłŞçéè' -]{0,30}$/), (name) => {
        expect(isSameMrzName(name, toMrzName(name))).toBe(true)
      }),
    )
  })
})
