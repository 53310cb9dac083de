/** ISO 3166-1 alpha-3 and alpha-2 codes of every country that issues documents, five letters per country. */
const codes =
  'AFGAFALBALDZADZANDADAGOAOATGAGARGARARMAMAUSAUAUTATAZEAZBHSBSBHRBHBGDBDBRBBBBLRBYBELBEBLZBZBENBJBTNBTBOLBOBIHBABWABWBRABRBRNBNBGRBGBFABFBDIBICPVCVKHMKHCMRCMCANCACAFCFTCDTDCHLCLCHNCNCOLCOCOMKMCOGCGCODCDCRICRCIVCIHRVHRCUBCUCYPCYCZECZDNKDKDJIDJDMADMDOMDOECUECEGYEGSLVSVGNQGQERIEREST' +
  'EESWZSZETHETFJIFJFINFIFRAFRGABGAGMBGMGEOGEDEUDEGHAGHGRCGRGRDGDGTMGTGINGNGNBGWGUYGYHTIHTHNDHNHKGHKHUNHUISLISINDINIDNIDIRNIRIRQIQIRLIEISRILITAITJAMJMJPNJPJORJOKAZKZKENKEKIRKIPRKKPKORKRKWTKWKGZKGLAOLALVALVLBNLBLSOLSLBRLRLBYLYLIELILTULTLUXLUMACMOMDGMGMWIMWMYSMYMDVMVMLIMLMLTMTMHL' +
  'MHMRTMRMUSMUMEXMXFSMFMMDAMDMCOMCMNGMNMNEMEMARMAMOZMZMMRMMNAMNANRUNRNPLNPNLDNLNZLNZNICNINERNENGANGMKDMKNORNOOMNOMPAKPKPLWPWPSEPSPANPAPNGPGPRYPYPERPEPHLPHPOLPLPRTPTQATQAROURORUSRURWARWKNAKNLCALCVCTVCWSMWSSMRSMSTPSTSAUSASENSNSRBRSSYCSCSLESLSGPSGSVKSKSVNSISLBSBSOMSOZAFZASSDSSESPES' +
  'LKALKSDNSDSURSRSWESECHECHSYRSYTWNTWTJKTJTZATZTHATHTLSTLTGOTGTONTOTTOTTTUNTNTURTRTKMTMTUVTVUGAUGUKRUAAREAEGBRGBUSAUSURYUYUZBUZVUTVUVATVAVENVEVNMVNYEMYEZMBZMZWEZW'

export type Country = { code: string; name: string; region: string }

/** Every country (or the allowed ones) with its name in `language`, sorted by that language's rules. */
export function countriesIn(language: string, allowed: readonly string[] | null): Country[] {
  const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'code' })
  return pairs()
    .filter(({ code }) => allowed === null || allowed.includes(code))
    .map(({ code, region }) => ({ code, region, name: names.of(region) ?? region }))
    .sort((a, b) => a.name.localeCompare(b.name, language))
}

function pairs(): { code: string; region: string }[] {
  const found: { code: string; region: string }[] = []
  for (let at = 0; at < codes.length; at += 5)
    found.push({ code: codes.slice(at, at + 3), region: codes.slice(at + 3, at + 5) })
  return found
}

/** The country from the reader's language settings, if it is available. */
export function likelyCountry(countries: readonly Country[], languages: readonly string[]): string | null {
  if (countries.length === 1) return countries[0]?.code ?? null
  for (const language of languages) {
    const region = language.split('-').find((part) => /^[A-Z]{2}$/.test(part))
    const found = countries.find((country) => country.region === region)
    if (found) return found.code
  }
  return null
}
