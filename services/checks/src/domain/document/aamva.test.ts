import { describe, expect, test } from '@jest/globals'
import { parseAamva } from './aamva.ts'

const american = [
  '@\n\u001e\rANSI 636026080102DL00410288ZA03290015DLDAQD12345678',
  'DCSSAMPLE',
  'DDEN',
  'DACMICHAEL',
  'DADJOHN',
  'DBB06061986',
  'DBA12102030',
  'DBC1',
  'DCGUSA\rZAZAAN',
].join('\n')

describe('parseAamva', () => {
  test('reads the elements of a licence of the United States', () => {
    expect(parseAamva(american)).toEqual({
      surname: 'SAMPLE',
      given_names: 'MICHAEL JOHN',
      document_number: 'D12345678',
      birth_date: '1986-06-06',
      expiry_date: '2030-12-10',
      sex: 'M',
      issuing_country: 'USA',
      kind: 'driving_licence',
    })
  })

  test('reads Canadian dates and an identity card', () => {
    const canadian = american
      .replace('15DLDAQ', '15IDDAQ')
      .replace('102DL', '102ID')
      .replace('DBB06061986', 'DBB19860606')
      .replace('DCGUSA', 'DCGCAN')
    expect(parseAamva(canadian)).toMatchObject({
      birth_date: '1986-06-06',
      issuing_country: 'CAN',
      kind: 'identity_card',
    })
  })

  test('reads version 1, with all names in one element', () => {
    const old = '@\n\u001e\rAAMVA6360000102DL00390187DLDAAPUBLIC,JOHN,Q\nDAQ123456\nDBB19561228\nDBA20301228'
    expect(parseAamva(old)).toMatchObject({
      surname: 'PUBLIC',
      given_names: 'JOHN Q',
      birth_date: '1956-12-28',
    })
  })

  test.each(['', '@', 'https://example.com', '@\nANSI 63602608', 'P<UTOERIKSSON<<ANNA'])(
    'rejects %p',
    (text) => {
      expect(parseAamva(text)).toBeNull()
    },
  )

  test('returns no date that does not exist', () => {
    expect(parseAamva(american.replace('DBB06061986', 'DBB13451986'))?.birth_date).toBeNull()
  })
})
