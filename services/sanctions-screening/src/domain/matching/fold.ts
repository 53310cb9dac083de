import anyAscii from 'any-ascii'
import letters from './data/abjad-letters.json' with { type: 'json' }

/**
 * Prefixes that record the original script of a word, because its transliteration loses information: each Hangul or Han
 * syllable becomes a separate word, and Arabic and Hebrew do not write short vowels.
 */
export const hangulMark = '한'
export const hanMark = '漢'
export const abjadMark = 'ا'

const asciiOnly = /^[\x20-\x7e\t\n\r]*$/
// Combining marks of Latin, Greek and Cyrillic; Hebrew points; Arabic vowel signs and tatweel. Marks of the Indic and
// Khmer scripts are vowels, so they are not stripped.
const strippedMarks =
  /[\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\u00ad]/g
const scriptRuns =
  /(\p{Script=Hangul})|(\p{Script=Han})|([\p{Script=Arabic}\p{Script=Hebrew}]+)|([^\p{Script=Hangul}\p{Script=Han}\p{Script=Arabic}\p{Script=Hebrew}]+)/gu

/**
 * Folds text in any script to lower-case ASCII words with the script marks above. Case, diacritics and compatibility
 * forms (full-width letters, ligatures) are removed (Unicode Standard Annex 15, NFKD, without combining marks). Other
 * scripts are transliterated with any-ascii, except Arabic and Hebrew, whose long vowels any-ascii drops.
 */
export function foldText(text: string): string {
  if (asciiOnly.test(text)) return text.toLowerCase()
  const stripped = text.normalize('NFKD').replace(strippedMarks, '').normalize('NFC')
  if (asciiOnly.test(stripped)) return stripped.toLowerCase()
  // A dot between Han characters separates the parts of a foreign name; the syllables of each part form one word.
  const foreignInHan = /\p{Script=Han}[·・‧•]\p{Script=Han}/u.test(stripped)
  let folded = ''
  for (const [run, hangul, han, abjad] of stripped.matchAll(scriptRuns)) {
    if (hangul !== undefined) folded += ` ${hangulMark}${anyAscii(hangul)} `
    else if (han !== undefined) folded += foreignInHan ? anyAscii(han) : ` ${hanMark}${anyAscii(han)} `
    else if (abjad !== undefined) folded += ` ${abjadMark}${transliterateAbjad(abjad)} `
    else folded += anyAscii(run)
  }
  return folded.toLowerCase()
}

const abjadTransliterations: Readonly<Record<string, string>> = letters

/** Transliterates letter by letter. The Arabic article (al-) stays attached: the tokeniser splits it off. */
function transliterateAbjad(run: string): string {
  // An initial ayin is written as a vowel: Abd, Ali, Umar.
  let text = /^[عע]/.test(run) ? 'a' : ''
  for (const letter of run) text += abjadTransliterations[letter] ?? anyAscii(letter)
  return text
}
