import { Jimp, loadFont } from 'jimp'
import { SANS_16_BLACK, SANS_32_BLACK } from 'jimp/fonts'

/** An obviously invented holder. Dates are YYMMDD. */
export type Holder = {
  surname: string
  given_names: string
  document_number: string
  birth: string
  expiry: string
  sex: 'M' | 'F'
}

export const exampleHolder: Holder = {
  surname: 'BEISPIEL',
  given_names: 'ERIKA MARIA',
  document_number: 'X0Y1Z2A34',
  birth: '850412',
  expiry: '330101',
  sex: 'F',
}

/** ICAO 9303-3, section 4.9. */
function checkDigit(text: string): string {
  const weights = [7, 3, 1]
  const value = (c: string) => (c === '<' ? 0 : /\d/.test(c) ? Number(c) : c.charCodeAt(0) - 55)
  return String([...text].reduce((sum, c, index) => sum + value(c) * (weights[index % 3] ?? 0), 0) % 10)
}

/** The two lines of a TD3 passport of Utopia (UTO). */
export function td3Lines(holder: Holder): [string, string] {
  const names = `${holder.surname}<<${holder.given_names.replaceAll(' ', '<')}`
  const number = holder.document_number.padEnd(9, '<')
  const optional = '<'.repeat(14)
  const numberPart = `${number}${checkDigit(number)}`
  const birthPart = `${holder.birth}${checkDigit(holder.birth)}`
  const expiryPart = `${holder.expiry}${checkDigit(holder.expiry)}`
  const optionalPart = `${optional}${checkDigit(optional)}`
  const composite = checkDigit(`${numberPart}${birthPart}${expiryPart}${optionalPart}`)
  return [
    `P<UTO${names}`.padEnd(44, '<').slice(0, 44),
    `${numberPart}UTO${birthPart}${holder.sex}${expiryPart}${optionalPart}${composite}`,
  ]
}

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const visualDate = (date: string, century: string) =>
  `${date.slice(4, 6)} ${months[Number(date.slice(2, 4)) - 1]} ${century}${date.slice(0, 2)}`

/** Pixels from one character of the MRZ to the next: about the pitch of OCR-B at this size. */
const pitch = 25

/** A drawn data page of a passport, as a JPEG; with `portrait` (an image with a face) where the photo belongs. */
export async function specimenPassport(holder: Holder, portrait?: Buffer): Promise<Buffer> {
  const page = new Jimp({ width: 1400, height: 980, color: 0xf4f1e6ff })
  const [large, small] = await Promise.all([loadFont(SANS_32_BLACK), loadFont(SANS_16_BLACK)])
  if (portrait) {
    const photo = await Jimp.read(portrait)
    photo.contain({ w: 380, h: 500 })
    page.composite(photo, 60, 190)
  }
  const write = (x: number, y: number, label: string, value: string) => {
    page.print({ font: small, x, y, text: label })
    page.print({ font: large, x, y: y + 22, text: value })
  }
  page.print({ font: large, x: 60, y: 50, text: 'UTOPIA    PASSPORT    SPECIMEN' })
  write(500, 150, 'Type', 'P')
  write(640, 150, 'Code', 'UTO')
  write(900, 150, 'Passport No.', holder.document_number)
  write(500, 250, 'Surname', holder.surname)
  write(500, 340, 'Given names', holder.given_names)
  write(500, 430, 'Nationality', 'UTOPIAN')
  write(500, 520, 'Date of birth', visualDate(holder.birth, '19'))
  write(900, 520, 'Sex', holder.sex)
  write(500, 610, 'Date of expiry', visualDate(holder.expiry, '20'))
  for (const [row, line] of td3Lines(holder).entries()) {
    for (const [column, character] of [...line].entries()) {
      page.print({ font: large, x: 60 + column * pitch, y: 800 + row * 62, text: character })
    }
  }
  return page.getBuffer('image/jpeg', { quality: 92 })
}
