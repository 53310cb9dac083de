import { describe, expect, test } from '@jest/globals'
import { documentTypes } from '@kyc/common'
import { countriesIn, likelyCountry } from './countries.ts'
import { kindsFor } from './kinds.ts'

describe('the issuing countries', () => {
  const all = countriesIn('en', null)

  test('are unique and have names', () => {
    expect(all.length).toBeGreaterThanOrEqual(195)
    expect(new Set(all.map(({ code }) => code)).size).toBe(all.length)
    for (const { code, region, name } of all) {
      expect(code).toMatch(/^[A-Z]{3}$/)
      expect({ region, named: name !== region }).toEqual({ region, named: true })
    }
    expect(all.find(({ code }) => code === 'DEU')?.name).toBe('Germany')
    expect(all.find(({ code }) => code === 'IND')?.region).toBe('IN')
  })

  test('are named in the language of the page', () => {
    expect(countriesIn('de', ['DEU'])[0]?.name).toBe('Deutschland')
    expect(countriesIn('ar', ['EGY'])[0]?.name).toBe('مصر')
  })

  test('are only those that the workflow accepts, and a single one is preselected', () => {
    const two = countriesIn('en', ['FRA', 'IND'])
    expect(two.map(({ code }) => code)).toEqual(['FRA', 'IND'])
    expect(likelyCountry(countriesIn('en', ['FRA']), [])).toBe('FRA')
    expect(likelyCountry(two, ['en-US', 'hi-IN'])).toBe('IND')
    expect(likelyCountry(two, ['en'])).toBeNull()
  })
})

describe('the kinds of document', () => {
  test('are those of the country that the workflow accepts', () => {
    expect(kindsFor('IND', [])).toContain('aadhaar')
    expect(kindsFor('FRA', [])).not.toContain('aadhaar')
    expect(kindsFor(null, ['passport', 'pan_card'])).toEqual(['passport'])
  })

  test('are all available in at least one country', () => {
    const reachable = new Set([...kindsFor('IND', []), ...kindsFor('FRA', [])])
    expect([...reachable].sort()).toEqual([...documentTypes].sort())
  })
})
