import { describe, expect, test } from '@jest/globals'
import { interpretCodes } from './barcode.ts'

const licence =
  '@\n\u001e\rANSI 636026080102DL00410288ZA03290015DLDAQD12345678\nDCSSAMPLE\nDACANN\nDBB06061986'

describe('interpretCodes', () => {
  test('uses the first code that identifies the holder', () => {
    const codes = [
      { symbology: 'qr', text: 'https://example.com/verify?id=7' },
      { symbology: 'pdf417', text: licence },
    ] as const
    expect(interpretCodes(codes, [])).toMatchObject({ kind: 'aamva', licence: { surname: 'SAMPLE' } })
  })

  test('reports a damaged document code as invalid and ignores any other code', () => {
    expect(interpretCodes([{ symbology: 'pdf417', text: '@\nANSI 63' }], [])).toEqual({
      kind: 'invalid',
      symbology: 'pdf417',
    })
    expect(interpretCodes([{ symbology: 'qr', text: '9'.repeat(2000) }], [])).toEqual({
      kind: 'invalid',
      symbology: 'qr',
    })
    expect(interpretCodes([{ symbology: 'qr', text: '123456' }], [])).toBeNull()
    expect(interpretCodes([], [])).toBeNull()
  })
})
