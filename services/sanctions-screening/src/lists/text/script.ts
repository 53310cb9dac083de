// ISO 15924 codes of the scripts that the lists use, except Latin.
const scripts: readonly (readonly [string, RegExp])[] = [
  ['Cyrl', /\p{Script=Cyrillic}/gu],
  ['Arab', /\p{Script=Arabic}/gu],
  ['Hani', /\p{Script=Han}/gu],
  ['Hang', /\p{Script=Hangul}/gu],
  ['Kana', /\p{Script=Katakana}/gu],
  ['Hira', /\p{Script=Hiragana}/gu],
  ['Hebr', /\p{Script=Hebrew}/gu],
  ['Grek', /\p{Script=Greek}/gu],
  ['Geor', /\p{Script=Georgian}/gu],
  ['Armn', /\p{Script=Armenian}/gu],
  ['Thai', /\p{Script=Thai}/gu],
  ['Mymr', /\p{Script=Myanmar}/gu],
  ['Deva', /\p{Script=Devanagari}/gu],
  ['Beng', /\p{Script=Bengali}/gu],
  ['Khmr', /\p{Script=Khmer}/gu],
  ['Ethi', /\p{Script=Ethiopic}/gu],
]
const onlyLatin = /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]*$/u
const latin = /\p{Script=Latin}/gu

/** ISO 15924 code of the script that most letters belong to; undefined for Latin. */
export function scriptOf(text: string): string | undefined {
  if (onlyLatin.test(text)) return undefined
  let best: string | undefined
  let most = text.match(latin)?.length ?? 0
  for (const [code, pattern] of scripts) {
    const count = text.match(pattern)?.length ?? 0
    if (count > most) {
      best = code
      most = count
    }
  }
  return best
}
