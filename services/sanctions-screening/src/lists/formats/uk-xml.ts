import type { ListedEntity } from '../../domain/entity.ts'
import { decodeStream, detectEncoding } from '../decode.ts'
import { EntityBuilder } from '../entity-builder.ts'
import { countDropped, type ListParts, type ParseReport } from '../format.ts'
import { headOf } from '../source.ts'
import { parseBirthDate } from '../text/birth-date.ts'
import { joinCleaned } from '../text/clean.ts'
import { countryCodes, onlyCountry } from '../text/country.ts'
import { europeanDay, timestampOf } from '../text/published-date.ts'
import { descend, textAt, type XmlElement, xmlRecords } from '../xml.ts'
import { addUkDocuments, addUkName, ukEntityType, ukNameQuality, ukSourceUrl } from './uk-entity.ts'

const recordNames = new Set(['DateGenerated', 'Designation'])
const numbers = [1, 2, 3, 4, 5, 6] as const

/** Parses the UK Sanctions List (Foreign, Commonwealth & Development Office), XML. */
export async function* parseUkXml(parts: ListParts, report: ParseReport): AsyncGenerator<ListedEntity> {
  report.list = 'uk_sanctions'
  const encoding = await detectEncoding(parts.main, await headOf(parts.main, 512))
  for await (const record of xmlRecords(decodeStream(parts.main.open(), encoding), recordNames, () => {})) {
    if (record.name === 'DateGenerated') {
      report.publishedAt = timestampOf(europeanDay(record.text) ?? record.text.trim())
      continue
    }
    report.entriesRead += 1
    const entity = toEntity(record)
    if (entity === null) countDropped(report, 'no_name_or_reference')
    else yield entity
  }
}

function toEntity(record: XmlElement): ListedEntity | null {
  const id = textAt(record, 'UniqueID')
  if (id === undefined) return null
  const builder = new EntityBuilder('uk_sanctions', id, ukEntityType(textAt(record, 'IndividualEntityShip')))
  for (const name of descend(record, 'Names', 'Name')) {
    const quality = ukNameQuality(textAt(name, 'NameType'), textAt(name, 'AliasStrength'))
    addUkName(
      builder,
      numbers.map((number) => textAt(name, `Name${number}`)),
      quality,
    )
  }
  for (const name of descend(record, 'NonLatinNames', 'NonLatinName'))
    builder.addName(textAt(name, 'NameNonLatinScript'), 'alias')
  for (const individual of descend(record, 'IndividualDetails', 'Individual'))
    addIndividual(builder, individual)
  for (const address of descend(record, 'Addresses', 'Address')) {
    const lines = numbers.map((number) => textAt(address, `AddressLine${number}`))
    const country = textAt(address, 'AddressCountry')
    builder.addPlace(
      'address',
      joinCleaned([...lines, textAt(address, 'AddressPostalCode'), country], ', '),
      onlyCountry(country),
    )
  }
  for (const number of descend(
    record,
    'EntityDetails',
    'Entity',
    'BusinessRegistrationNumbers',
    'BusinessRegistrationNumber',
  )) {
    builder.addIdentifier('registration', number.text)
  }
  for (const number of descend(record, 'ShipDetails', 'Ship', 'IMONumbers', 'IMONumber')) {
    builder.addIdentifier('imo', number.text.replace(/^\s*IMO\s*/i, ''))
  }
  builder.addProgram(textAt(record, 'RegimeName'))
  builder.listedOn = europeanDay(textAt(record, 'DateDesignated'))
  builder.addRemark(textAt(record, 'OtherInformation'))
  builder.addRemark(textAt(record, 'UKStatementofReasons'))
  builder.sourceUrl = ukSourceUrl
  return builder.build()
}

function addIndividual(builder: EntityBuilder, individual: XmlElement): void {
  for (const birth of descend(individual, 'DOBs', 'DOB')) builder.addBirthDate(parseBirthDate(birth.text))
  for (const nationality of descend(individual, 'Nationalities', 'Nationality'))
    builder.addNationality(...countryCodes(nationality.text))
  for (const location of descend(individual, 'BirthDetails', 'Location')) {
    const country = textAt(location, 'CountryOfBirth')
    builder.addPlace(
      'birth',
      joinCleaned([textAt(location, 'TownOfBirth'), country], ', '),
      onlyCountry(country),
    )
  }
  for (const passport of descend(individual, 'PassportDetails', 'Passport')) {
    addUkDocuments(
      builder,
      'passport',
      textAt(passport, 'PassportNumber'),
      textAt(passport, 'PassportAdditionalInformation'),
    )
  }
  for (const national of descend(individual, 'NationalIdentifierDetails', 'NationalIdentifier')) {
    const words = textAt(national, 'NationalIdentifierAdditionalInformation')
    addUkDocuments(builder, 'national_id', textAt(national, 'NationalIdentifierNumber'), words)
  }
  for (const position of descend(individual, 'Positions', 'Position')) builder.addRemark(position.text)
}
