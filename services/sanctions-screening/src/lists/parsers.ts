import type { FormatId, ListParser } from './format.ts'
import { parseAuXlsx } from './formats/au-xlsx.ts'
import { parseCaXml } from './formats/ca-xml.ts'
import { parseChXml } from './formats/ch-xml.ts'
import { parseEuCsv } from './formats/eu-csv.ts'
import { parseEuXml } from './formats/eu-xml.ts'
import { parseOfacAdvancedXml } from './formats/ofac-advanced-xml.ts'
import { parseOfacCsv } from './formats/ofac-csv.ts'
import { parseOfacXml } from './formats/ofac-xml.ts'
import { parseUkConListCsv } from './formats/uk-conlist-csv.ts'
import { parseUkCsv } from './formats/uk-csv.ts'
import { parseUkXml } from './formats/uk-xml.ts'
import { parseUnXml } from './formats/un-xml.ts'

/** One parser per official format. To add a list, add a file to `formats/` and an entry here and in `recognise.ts`. */
export const parsers: Readonly<Record<FormatId, ListParser>> = {
  ofac_csv: parseOfacCsv,
  ofac_xml: parseOfacXml,
  ofac_advanced_xml: parseOfacAdvancedXml,
  un_xml: parseUnXml,
  eu_xml: parseEuXml,
  eu_csv: parseEuCsv,
  uk_xml: parseUkXml,
  uk_csv: parseUkCsv,
  uk_conlist_csv: parseUkConListCsv,
  ch_xml: parseChXml,
  ca_xml: parseCaXml,
  au_xlsx: parseAuXlsx,
}
