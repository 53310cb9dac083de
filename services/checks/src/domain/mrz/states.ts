/**
 * Codes of issuing states, nationalities and organisations: ISO 3166-1 alpha-3 and ICAO 9303-3 section 5 (parts A to
 * D), codes of former states on old documents, and UTO, which specimens use.
 */
const codes =
  'ABW AFG AGO AIA ALA ALB AND ARE ARG ARM ASM ATA ATF ATG AUS AUT AZE BDI BEL BEN BES BFA BGD BGR BHR BHS BIH BLM BLR BLZ BMU ' +
  'BOL BRA BRB BRN BTN BVT BWA CAF CAN CCK CHE CHL CHN CIV CMR COD COG COK COL COM CPV CRI CUB CUW CXR CYM CYP CZE DEU DJI DMA ' +
  'DNK DOM DZA ECU EGY ERI ESH ESP EST ETH FIN FJI FLK FRA FRO FSM GAB GBR GEO GGY GHA GIB GIN GLP GMB GNB GNQ GRC GRD GRL GTM ' +
  'GUF GUM GUY HKG HMD HND HRV HTI HUN IDN IMN IND IOT IRL IRN IRQ ISL ISR ITA JAM JEY JOR JPN KAZ KEN KGZ KHM KIR KNA KOR KWT ' +
  'LAO LBN LBR LBY LCA LIE LKA LSO LTU LUX LVA MAC MAF MAR MCO MDA MDG MDV MEX MHL MKD MLI MLT MMR MNE MNG MNP MOZ MRT MSR MTQ ' +
  'MUS MWI MYS MYT NAM NCL NER NFK NGA NIC NIU NLD NOR NPL NRU NZL OMN PAK PAN PCN PER PHL PLW PNG POL PRI PRK PRT PRY PSE PYF ' +
  'QAT REU ROU RUS RWA SAU SDN SEN SGP SGS SHN SJM SLB SLE SLV SMR SOM SPM SRB SSD STP SUR SVK SVN SWE SWZ SXM SYC SYR TCA TCD ' +
  'TGO THA TJK TKL TKM TLS TON TTO TUN TUR TUV TWN TZA UGA UKR UMI URY USA UZB VAT VCT VEN VGB VIR VNM VUT WLF WSM YEM ZAF ZMB ' +
  'ZWE D EUE GBD GBN GBO GBP GBS RKS XKX UNO UNA UNK XAA XXA XXB XXC XXX XBA XIM XCC XCE XCO XEC XPO XES XMP XOM XDC XSM IAO ' +
  'UTO SCG YUG CSK DDR SUN ANT ZAR TMP NTZ'

const listed = new Set(codes.split(' '))

/** True for a code, without fillers, that a state or organisation uses in an MRZ. */
export function isListedState(code: string): boolean {
  return listed.has(code)
}

/** The same as three MRZ characters, `D<<` for Germany. */
const listedInMrz = new Set([...listed].map((code) => code.padEnd(3, '<')))
export function isListedStateField(field: string): boolean {
  return listedInMrz.has(field)
}
