import anyAscii from 'any-ascii'
import letters from './data/abjad-letters.json' with { type: 'json' }

/**
 * Marks in front of a word that tell the script it was read from, because the reading is lossy: Hangul and Han
 * syllables are words of their own, and Arabic and Hebrew do not write short vowels.
 */
export const hangulMark = '한'
export const hanMark = '漢'
export const abjadMark = 'ا'

const asciiOnly = /^[\x20-\x7e\t\n\r]*$/
// Combining marks of Latin, Greek and Cyrillic; Hebrew points; Arabic vowel signs and tatweel. Marks of the Indic
// and Khmer scripts are vowels and stay.
const strippedMarks =
  /[\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\u00ad]/g
const scriptRuns =
  /(\p{Script=Hangul})|(\p{Script=Han})|([\p{Script=Arabic}\p{Script=Hebrew}]+)|([^\p{Script=Hangul}\p{Script=Han}\p{Script=Arabic}\p{Script=Hebrew}]+)/gu

/**
 * Text in any script to lower-case ASCII words (and the marks above). Case, diacritics and compatibility forms
 * (full-width letters, ligatures) vanish: Unicode Standard Annex 15, NFKD, without combining marks. Other scripts
 * are transliterated by any-ascii, except Arabic and Hebrew, whose long vowels any-ascii drops.
 */
export function foldText(text: string): string {
  if (asciiOnly.test(text)) return text.toLowerCase()
  const stripped = text.normalize('NFKD').replace(strippedMarks, '').normalize('NFC')
  if (asciiOnly.test(stripped)) return stripped.toLowerCase()
  // A dot between Han words separates the parts of a foreign name, whose syllables belong together.
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

/** Letter by letter; the article of Arabic (al-) is left attached for the tokeniser. */
function transliterateAbjad(run: string): string {
  // At the start of a word the guttural carries a vowel: Abd, Ali, Umar.
  let text = /^[عע]/.test(run) ? 'a' : ''
  for (const letter of run) text += abjadTransliterations[letter] ?? anyAscii(letter)
  return text
}
