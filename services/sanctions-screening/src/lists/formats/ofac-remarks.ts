import type { EntityBuilder } from '../entity-builder.ts'
import { parseBirthDate } from '../text/birth-date.ts'
import { clean } from '../text/clean.ts'
import { countryCode } from '../text/country.ts'
import { identifierType } from './identifier-type.ts'
import { ofacName } from './ofac-names.ts'

const weakAlias = /^[afn]\.k\.a\. ['"‘“](.+)['"’”]$/i
// `Passport A123 (Iran) issued 2001 expires 2006`: the words before the number are its type; the number has a digit.
const identifier =
  /^((?:[A-Z][\w.'/&()-]*|of|ID|No\.|#|-)(?:\s+(?:[A-Za-z(][\w.'/&()-]*|#|-))*?)\s+((?:IMO\s+)?[^\s]*\d[^\s]*|\S{20,})(?:\s+\(([^)]+)\))?(?:\s+(?:issued|expires).*)?$/
const identifierWords =
  /passport|\bID\b|\bNo\.|number|#|cedula|tax|registr|regist|imo|mmsi|swift|bic|digital currency|matricula|mercantil|c\.u\.r\.p|r\.f\.c|\brfc\b|license|visa|residency|certificate|nit/i

/**
 * Extracts birth dates and places, nationalities, weak aliases and identifiers from OFAC's remarks, because the CSV
 * has no other fields for them. Other text is ignored here; the caller stores the complete remarks.
 */
export function readOfacRemarks(builder: EntityBuilder, remarks: string): void {
  for (const piece of remarks.split(';')) {
    const text = clean(piece.replace(/\.\s*$/, ''))?.replace(/^alt\.\s+/, '')
    if (text === undefined || text === '') continue
    readSegment(builder, text)
  }
}

function readSegment(builder: EntityBuilder, text: string): void {
  const alias = text.match(weakAlias)?.[1]
  if (alias !== undefined) {
    const { full, parts } = ofacName(alias, builder.type)
    builder.addName(full, 'weak_alias', parts)
    return
  }
  const [keyword = '', ...rest] = text.split(' ')
  const value = rest.join(' ')
  switch (keyword) {
    case 'DOB':
      builder.addBirthDate(parseBirthDate(value))
      return
    case 'POB':
      builder.addPlace('birth', value, countryCode(value.split(',').at(-1)) ?? countryCode(value))
      return
    case 'nationality':
    case 'citizen':
      builder.addNationality(countryCode(value))
      return
    default:
      readIdentifier(builder, text)
  }
}

function readIdentifier(builder: EntityBuilder, text: string): void {
  if (!identifierWords.test(text)) return
  const bank = text.match(/^SWIFT\/BIC (\S+)/)?.[1]
  if (bank !== undefined) builder.addIdentifier('swift_bic', bank)
  const found = bank === undefined ? text.match(identifier) : null
  if (!found?.[1] || !found[2]) return
  const type = identifierType(`${found[1]} ${found[2]}`)
  const value = type === 'imo' ? found[2].replace(/^IMO\s*/i, '') : found[2]
  builder.addIdentifier(type, value, countryCode(found[3]))
}
