import { describe, expect, test } from '@jest/globals'
import { parseMrz } from './index.ts'

const today = new Date('2026-03-15T12:00:00Z')
const documentOf = (...lines: string[]) => parseMrz(lines, { today })?.document

describe('clean lines', () => {
  test('TD1, with both optional fields', () => {
    expect(
      documentOf(
        'I<UTOD231458907<<<<<<<<<<<<<<<',
        '7408122F1204159UTO<<<<<<<<<<<6',
        'ERIKSSON<<ANNA<MARIA<<<<<<<<<<',
      ),
    ).toEqual({
      format: 'td1',
      document_code: 'I',
      issuing_state: 'UTO',
      surname: 'ERIKSSON',
      given_names: 'ANNA MARIA',
      document_number: 'D23145890',
      nationality: 'UTO',
      birth_date_raw: '740812',
      expiry_date_raw: '120415',
      birth_date: '1974-08-12',
      expiry_date: '2012-04-15',
      sex: 'F',
      optional_data: '',
      optional_data_2: '',
      check_digits: {
        document_number: true,
        birth_date: true,
        expiry_date: true,
        optional_data: null,
        composite: true,
      },
      valid: true,
      lines: [
        'I<UTOD231458907<<<<<<<<<<<<<<<',
        '7408122F1204159UTO<<<<<<<<<<<6',
        'ERIKSSON<<ANNA<MARIA<<<<<<<<<<',
      ],
      corrections: [],
    })
  })

  test('TD2 of Germany: a state of one letter, an unspecified sex', () => {
    expect(
      documentOf('IDD<<MUSTERMANN<<ERIKA<<<<<<<<<<<<<<', '0053033941D<<6408125<1710319<<<<<<<0'),
    ).toMatchObject({
      format: 'td2',
      issuing_state: 'D',
      nationality: 'D',
      sex: 'X',
      valid: true,
    })
  })

  test('TD3 with a personal number and its check digit', () => {
    expect(
      documentOf(
        'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<',
        'L898902C36UTO7408122F1204159ZE184226B<<<<<10',
      ),
    ).toMatchObject({
      format: 'td3',
      optional_data: 'ZE184226B',
      optional_data_2: null,
      check_digits: { optional_data: true, composite: true },
      valid: true,
    })
  })

  test('TD3: the check digit of an empty personal number may be a filler', () => {
    expect(
      documentOf(
        'PPD<<MUSTERMANN<<ERIKA<<<<<<<<<<<<<<<<<<<<<<',
        'A000000000D<<8308126F2804305<<<<<<<<<<<<<<<2',
      ),
    ).toMatchObject({
      check_digits: { optional_data: true },
      valid: true,
    })
  })

  test('visas have no composite digit', () => {
    expect(
      documentOf(
        'VNUSATRAVELER<<HAPPY<<<<<<<<<<<<<<<<<<<<<<<<',
        '12345678<8KOR5001013F1304071B3SE000IL4243934',
      ),
    ).toMatchObject({
      format: 'mrv_a',
      optional_data: 'B3SE000IL4243934',
      check_digits: { optional_data: null, composite: null },
      valid: true,
    })
    expect(
      documentOf('V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<', 'L898902C<3UTO6908061F9406236ZE184226'),
    ).toMatchObject({
      format: 'mrv_b',
      document_number: 'L898902C',
      valid: true,
    })
  })

  test('the old French card is not parsed as TD2, and has no expiry', () => {
    expect(
      documentOf('IDFRABERTHIER<<<<<<<<<<<<<<<<<923255', '8806923102858CORINNE<<<<<<<6512068F2'),
    ).toMatchObject({
      format: 'fra_id',
      document_number: '880692310285',
      surname: 'BERTHIER',
      given_names: 'CORINNE',
      nationality: 'FRA',
      expiry_date_raw: '',
      expiry_date: null,
      optional_data: '923255',
      check_digits: {
        document_number: true,
        birth_date: true,
        expiry_date: null,
        optional_data: null,
        composite: true,
      },
      valid: true,
    })
  })

  test.each([
    [
      ['I<PRT141974817<ZV17<<<<<<<<<<<', '9801082F3407242PRT<<<<<<<<<<<4', 'RONALDO<<CHRISTIANO<<<<<<<<<<<'],
      '141974817ZV1',
    ],
    [
      ['IDBEL600001795<0152<<<<<<<<<<<', '1301014F2311207BEL130101987398', 'SPECIMEN<<SPECIMEN<<<<<<<<<<<<'],
      '600001795015',
    ],
    [['I<UTOSTEVENSON<<PETER<<JOHN<<<<<<<<<', 'D23145890<UTO3407127M95071227349<<<8'], 'D23145890734'],
  ])('a long number continues in the optional data: %j', (lines, number) => {
    expect(documentOf(...lines)).toMatchObject({
      document_number: number,
      check_digits: { document_number: true },
      valid: true,
    })
  })

  test('truncated, single and many-part names', () => {
    expect(
      documentOf(
        'I<PRT000024759<ZZ72<<<<<<<<<<<',
        '8010100F2006017PRT<<<<<<<<<<<8',
        'CARLOS<MONTEIRO<<AMELIA<VANESS',
      ),
    ).toMatchObject({
      surname: 'CARLOS MONTEIRO',
      given_names: 'AMELIA VANESS',
    })
    const single = documentOf(
      'P<UTOARKFREITH<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<',
      'L898902C36UTO7408122F1204159ZE184226B<<<<<10',
    )
    expect(single).toMatchObject({ surname: 'ARKFREITH', given_names: '', valid: true })
  })

  test('an unknown expiry is valid and null', () => {
    expect(
      documentOf(
        'I<UTOD231458907<<<<<<<<<<<<<<<',
        '7408122F<<<<<<0UTO<<<<<<<<<<<6',
        'ERIKSSON<<ANNA<MARIA<<<<<<<<<<',
      ),
    ).toMatchObject({
      expiry_date_raw: '<<<<<<',
      expiry_date: null,
      valid: true,
    })
  })

  test('a date that does not exist is not valid although its check digits are', () => {
    expect(
      documentOf(
        'IOHRV000000000000000000000<<<<',
        '0000000M0000000HRV<<<<<<<<<<<0',
        'UZORAK<<SPECIMEN<<<<<<<<<<<<<<',
      ),
    ).toMatchObject({
      check_digits: { birth_date: true, composite: true },
      birth_date: null,
      valid: false,
    })
  })

  test('recomputes and reports every check digit; still returns a faulty MRZ', () => {
    const second = 'L898902C36UTO7408122F1204159ZE184226B<<<<<10'
    const flags = (position: number, digit: string) =>
      documentOf(
        'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<',
        second.slice(0, position) + digit + second.slice(position + 1),
      )
    expect(flags(9, '3')).toMatchObject({
      valid: false,
      check_digits: { document_number: false, birth_date: true },
    })
    expect(flags(19, '5')).toMatchObject({
      valid: false,
      check_digits: { birth_date: false, expiry_date: true },
    })
    expect(flags(27, '4')).toMatchObject({
      valid: false,
      check_digits: { expiry_date: false, optional_data: true },
    })
    expect(flags(43, '5')).toMatchObject({
      valid: false,
      check_digits: { optional_data: true, composite: false },
    })
  })
})
