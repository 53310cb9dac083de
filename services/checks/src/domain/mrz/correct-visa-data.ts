import { candidates } from './confusions.ts'
import { visaPlaces } from './issuer-formats.ts'

/**
 * Corrects the optional data of a visa where its issuer uses only digits or only letters; no check digit covers them.
 */
export function correctVisaData(text: string, state: string): string {
  const places = visaPlaces(state, text)
  if (places === null) return text
  let corrected = ''
  for (const [at, { digits, letters }] of places.entries()) {
    const only = letters === '' ? 'digit' : digits ? 'any' : 'letter'
    const [option] = candidates[only][text.charCodeAt(at)]!
    corrected += String.fromCharCode(option!.code)
  }
  return corrected + text.slice(places.length)
}
