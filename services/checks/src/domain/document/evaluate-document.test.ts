import { describe, expect, test } from '@jest/globals'
import { defaultWorkflowConfig } from '@kyc/common'
import { scenarioReading } from '../test-scenario.ts'
import type { DocumentInput } from './document-input.ts'
import { evaluateDocument } from './evaluate-document.ts'
import type { CapturedSide, SideReading } from './side-reading.ts'

const today = new Date('2026-01-31T12:00:00Z')
const passport = (scenario = 'approved') => scenarioReading(scenario, 'ses_1', today)
const side = (reading: SideReading, name: 'front' | 'back' = 'front'): CapturedSide => ({
  side: name,
  capture_method: 'camera',
  reading,
})
const judge = (sides: CapturedSide[], input: Partial<DocumentInput> & { rules?: object } = {}) =>
  evaluateDocument({
    sides,
    declaredType: 'passport',
    declaredCountry: null,
    today,
    ...input,
    config: { ...defaultWorkflowConfig().steps.document, ...input.rules },
  })
const codes = (verdict: ReturnType<typeof judge>) => verdict.warnings.map(({ code }) => code)

/** A card of which only print was read. */
const blank: SideReading = { ...passport(), mrz: null, visual: {}, lines: [] }
const print = (value: string, confidence = 0.99) => ({ value, alternatives: [], confidence })

describe('a passport with valid check digits', () => {
  test('passes with its data, its identity and the source of each field', () => {
    const verdict = judge([side(passport())])
    expect(verdict).toMatchObject({
      status: 'passed',
      warnings: [],
      data: {
        document_type: 'passport',
        issuing_state: 'UTO',
        sides: ['front'],
        format: 'td3',
        mrz_valid: true,
        capture_method: 'camera',
        not_expired: true,
      },
      subject: {
        issuing_state: 'UTO',
        identity: {
          full_name: 'ALEX TESTPERSON',
          nationality: 'UTO',
          document_type: 'passport',
          sources: {
            full_name: 'mrz',
            date_of_birth: 'mrz',
            document_number_masked: 'mrz',
            expiry_date: 'mrz',
          },
        },
      },
    })
    expect(verdict.subject.identity.document_number_masked).toMatch(/^T.{4}\*{4}$/)
    expect(verdict.data.cross_checks).toEqual([
      expect.objectContaining({ field: 'document_number', match: true }),
    ])
  })

  test('fails from the day after its expiry date', () => {
    expect(codes(judge([side(passport('document_expired'))]))).toEqual(['document_expired'])
    const expiry = passport().mrz!.document.expiry_date!
    expect(codes(judge([side(passport())], { today: new Date(`${expiry}T23:00:00Z`) }))).toEqual([])
    const after = new Date(Date.parse(expiry) + 86_400_000)
    expect(codes(judge([side(passport())], { today: after }))).toEqual(['document_expired'])
  })

  test('requires review, and never fails, when one pattern covers the photo of either side', () => {
    const seen = (screenPattern: number | null) => ({ ...passport(), screenPattern })
    const verdict = judge([side(seen(0.1)), side(seen(0.9), 'back')])
    expect(verdict).toMatchObject({
      status: 'warning',
      warnings: [
        { code: 'screen_capture_suspected', severity: 'medium', details: { pattern: 0.9, threshold: 0.7 } },
      ],
    })
    expect(codes(judge([side(seen(0.69))]))).toEqual([])
    expect(codes(judge([side(seen(null))]))).toEqual([])
  })

  test('requires review when its portrait was searched for and not found on either side', () => {
    const seen = (portrait: SideReading['portrait']) => ({ ...passport(), portrait })
    const found = { score: 0.9, x: 0.1, y: 0.3, width: 0.2, height: 0.3 }
    const without = judge([side(seen(null))])
    expect([without.status, codes(without)]).toEqual(['warning', ['portrait_not_found']])
    expect(codes(judge([side(seen(found))]))).toEqual([])
    expect(codes(judge([side(seen(undefined))]))).toEqual([])
    expect(codes(judge([side(seen(null)), side(seen(found), 'back')]))).toEqual([])
    expect(codes(judge([side(seen(null), 'back')]))).toEqual([])
  })

  test('warns when it expires within the days set in the workflow', () => {
    expect(codes(judge([side(passport())], { rules: { expiring_soon_days: 365 * 6 } }))).toEqual([
      'document_expiring_soon',
    ])
  })

  test('fails when the workflow does not accept its type or its country', () => {
    expect(codes(judge([side(passport())], { rules: { allowed_types: ['driving_licence'] } }))).toEqual([
      'document_type_not_allowed',
    ])
    expect(codes(judge([side(passport())], { rules: { allowed_countries: ['FRA'] } }))).toEqual([
      'document_country_not_allowed',
    ])
    const fine = { allowed_types: ['passport'], allowed_countries: ['UTO'] }
    expect(codes(judge([side(passport())], { rules: fine }))).toEqual([])
  })

  test('requires review when the printed number differs', () => {
    const verdict = judge([side(passport('mrz_mismatch'))])
    expect([verdict.status, codes(verdict)]).toEqual(['warning', ['mrz_visual_mismatch']])
  })

  test('an uploaded photo is reported and passes', () => {
    const verdict = judge([{ ...side(passport()), capture_method: 'upload' }])
    expect([verdict.status, codes(verdict)]).toEqual(['passed', ['uploaded_not_captured']])
  })

  test('ignores low sharpness because the photo was legible, but reports a cut-off edge', () => {
    const quality = { ...passport().quality, sharpness: 0.05, cropped: true }
    expect(codes(judge([side({ ...passport(), quality })]))).toEqual(['image_cropped'])
  })
})

test('failed check digits require review, and only confirmed fields enter the identity', () => {
  const reading = passport()
  const document = {
    ...reading.mrz!.document,
    valid: false,
    check_digits: { ...reading.mrz!.document.check_digits, birth_date: false, composite: false },
  }
  const verdict = judge([side({ ...reading, mrz: { ...reading.mrz!, document, holds: false } })])
  expect(verdict.status).toBe('warning')
  expect(codes(verdict)).toEqual(['mrz_checksum_failed', 'field_missing'])
  expect(verdict.subject.identity.date_of_birth).toBeNull()
  expect(verdict.subject.document_number).not.toBeNull()
})

describe('a name that the two readers read differently', () => {
  const reading = passport()
  const doubtful = [{ line: 0, position: 5, field: 'name', read: 'T', second: 'F' }]
  const withDoubt = (visual: SideReading['visual']): SideReading => ({
    ...reading,
    visual,
    mrz: { ...reading.mrz!, doubtful },
  })

  test('is resolved by the visual zone in favour of either reader', () => {
    const first = judge([side(withDoubt({ surname: print('Testperson'), given_names: print('Alex') }))])
    expect([first.warnings, first.subject.identity.full_name]).toEqual([[], 'ALEX TESTPERSON'])
    const second = judge([side(withDoubt({ surname: print('Festperson'), given_names: print('Alex') }))])
    expect(second.subject.identity.full_name).toBe('ALEX FESTPERSON')
  })

  test('gives a warning and no guess when the visual zone does not decide', () => {
    const verdict = judge([side(withDoubt({}))])
    expect(verdict.status).toBe('warning')
    expect(verdict.warnings).toMatchObject([{ code: 'field_missing', field: 'full_name' }])
    expect(verdict.score).toBeLessThan(0.5)
  })
})

describe('another field that the two readers read differently', () => {
  const reading = passport()
  const doubted = (field: string, position: number, visual: SideReading['visual'] = {}) => {
    const doubtful = [{ line: 1, position, field, read: 'U', second: 'D' }]
    return judge([side({ ...reading, visual, mrz: { ...reading.mrz!, doubtful } })])
  }

  test.each([
    ['nationality', 10],
    ['issuing_state', 2],
    ['sex', 20],
    ['optional_data', 30],
    ['document_code', 0],
  ])('gives a warning that names %s', (field, position) => {
    const verdict = doubted(field, position)
    expect(verdict.status).toBe('warning')
    expect(verdict.warnings).toMatchObject([
      { code: 'field_missing', severity: 'medium', field, details: { reason: 'readers_disagree' } },
    ])
  })

  test('is resolved by the visual zone', () => {
    expect(codes(doubted('sex', 20, { sex: print(reading.mrz!.document.sex) }))).toEqual([])
  })

  test('is ignored in the part of the document code that does not determine the type', () => {
    expect(codes(doubted('document_code', 1))).toEqual([])
  })
})

test('a document of unknown type requires review', () => {
  const visual = {
    surname: print('Doe'),
    given_names: print('Jane'),
    document_number: print('X1234567'),
    birth_date: print('1990-01-01'),
  }
  const verdict = judge([side({ ...blank, visual })], { declaredType: null })
  expect(verdict.status).toBe('warning')
  expect(verdict.warnings).toMatchObject([{ code: 'field_missing', field: 'document_type' }])
})

describe('a card', () => {
  test('requires its back until a side with an MRZ or a barcode was read', () => {
    const front = side({ ...blank, visual: { surname: print('DOE') } })
    expect(codes(judge([front], { declaredType: 'identity_card' }))).toContain('document_back_missing')
    const both = judge([front, side(passport(), 'back')], { declaredType: 'identity_card' })
    expect(codes(both)).not.toContain('document_back_missing')
    expect(codes(judge([front], { declaredType: 'pan_card' }))).not.toContain('document_back_missing')
    expect(codes(judge([front], { declaredType: 'passport', rules: { require_back: true } }))).toContain(
      'document_back_missing',
    )
  })

  test('fails when front and back prove different documents', () => {
    const verdict = judge([side(passport()), side(scenarioReading('underage', 'ses_2', today), 'back')])
    expect([verdict.status, new Set(codes(verdict))]).toEqual([
      'failed',
      new Set(['document_sides_mismatch']),
    ])
  })
})

describe('sources of an identity', () => {
  const licence = {
    kind: 'aamva',
    licence: {
      surname: 'SAMPLE',
      given_names: 'MICHAEL',
      document_number: 'D12345678',
      birth_date: '1986-06-06',
      expiry_date: '2030-12-10',
      sex: 'M',
      issuing_country: 'USA',
      kind: 'driving_licence',
    },
  } as const
  const printed = { surname: print('SAMPEL'), birth_date: print('1986-06-07'), document_number: print('X1') }

  test('a barcode takes precedence over the visual zone, which fills the remaining fields', () => {
    const barcode = judge([side({ ...blank, barcode: licence, visual: printed })], {
      declaredType: 'driving_licence',
    })
    expect(barcode.subject.identity).toMatchObject({
      full_name: 'MICHAEL SAMPLE',
      date_of_birth: '1986-06-06',
      document_type: 'driving_licence',
      sources: { full_name: 'barcode', date_of_birth: 'barcode' },
    })
    const print = judge([side({ ...blank, visual: printed })], { declaredType: 'driving_licence' })
    expect(print.subject.identity).toMatchObject({
      full_name: 'SAMPEL',
      date_of_birth: '1986-06-07',
      sources: { full_name: 'visual' },
    })
  })

  test('a field without a source is null and reported', () => {
    const verdict = judge([side(blank)])
    expect(verdict.subject.identity).toEqual({
      full_name: null,
      date_of_birth: null,
      nationality: null,
      document_type: 'passport',
      document_number_masked: null,
      expiry_date: null,
      sources: {},
    })
    expect(codes(verdict)).toEqual(['mrz_not_found', 'field_missing', 'field_missing', 'field_missing'])
  })
})
