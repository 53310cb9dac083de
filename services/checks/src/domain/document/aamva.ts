/** The identity fields in the PDF417 of a driving licence or identity card. */
export interface DrivingLicence {
  readonly surname: string | null
  readonly given_names: string | null
  readonly document_number: string | null
  /** `YYYY-MM-DD`. */
  readonly birth_date: string | null
  readonly expiry_date: string | null
  readonly sex: 'M' | 'F' | 'X' | null
  /** `USA` or `CAN`. */
  readonly issuing_country: string
  readonly kind: 'driving_licence' | 'identity_card'
}

/**
 * Parses the text of a PDF417 by the AAMVA DL/ID Card Design Standard (annex D, versions 1 to 10): header `@`, file
 * type `ANSI ` (or `AAMVA`), then subfiles `DL` or `ID` of three-letter elements, one per line. Null for any other
 * text.
 */
export function parseAamva(text: string): DrivingLicence | null {
  const header = text.match(/^@[\s\S]{0,6}?(?:ANSI |AAMVA)\d{8}/)
  if (!header) return null
  const subfile = text.slice(header[0].length).match(/(DL|ID)(?=D[A-C][A-Z])/)
  if (!subfile) return null
  const body = text.slice(header[0].length + subfile.index! + 2)
  const elements = new Map<string, string>()
  for (const row of body.split(/[^ -~]+/)) {
    const element = row.match(/^(D[A-C][A-Z])(.*)$/)
    if (element && !elements.has(element[1]!)) elements.set(element[1]!, element[2]!.trim())
  }
  const value = (code: string) => {
    const found = elements.get(code)
    return found && !/^(NONE|UNAVL?|N\/A)$/i.test(found) ? found : null
  }
  const country = value('DCG')?.toUpperCase() === 'CAN' ? 'CAN' : 'USA'
  const names = namesOf(value)
  const sex = value('DBC')
  return {
    ...names,
    document_number: value('DAQ')?.replace(/\s/g, '') ?? null,
    birth_date: dateOf(value('DBB'), country),
    expiry_date: dateOf(value('DBA'), country),
    sex: sex === null ? null : /^(1|M)/i.test(sex) ? 'M' : /^(2|F)/i.test(sex) ? 'F' : 'X',
    issuing_country: country,
    kind: subfile[1] === 'ID' ? 'identity_card' : 'driving_licence',
  }
}

/** Names depend on the version: DCS with DAC and DAD; DCS with DCT; or all in DAA as `SURNAME,GIVEN,MIDDLE`. */
function namesOf(value: (code: string) => string | null): Pick<DrivingLicence, 'surname' | 'given_names'> {
  const words = (text: string | null) => text?.replace(/[,$]+/g, ' ').replace(/\s+/g, ' ').trim() || null
  const whole = value('DAA')?.split(',')
  const given = [value('DAC') ?? value('DCT'), value('DAD')].filter((part) => part !== null).join(' ')
  return {
    surname: words(value('DCS') ?? value('DAB') ?? whole?.[0] ?? null),
    given_names: words(given) ?? words(whole?.slice(1).join(' ') ?? null),
  }
}

/** MMDDCCYY in the United States, CCYYMMDD in Canada; falls back to the other order when the date is impossible. */
function dateOf(raw: string | null, country: string): string | null {
  const digits = raw?.match(/^\d{8}$/)?.[0]
  if (!digits) return null
  const american = [digits.slice(4), digits.slice(0, 2), digits.slice(2, 4)] as const
  const canadian = [digits.slice(0, 4), digits.slice(4, 6), digits.slice(6)] as const
  for (const [year, month, day] of country === 'CAN' ? [canadian, american] : [american, canadian]) {
    const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
    if (
      Number(year) > 1850 &&
      date.getUTCMonth() === Number(month) - 1 &&
      date.getUTCDate() === Number(day)
    ) {
      return `${year}-${month}-${day}`
    }
  }
  return null
}
