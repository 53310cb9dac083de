/**
 * Rewrites a romanised name into symbols that unify common transliteration choices: `Youssef`, `Yusif` and `Iousef`
 * become similar, `Alekseyevich` and `Alekseevich` equal. Capital letters are single sounds: S = sh, C = ch, K = kh,
 * G = gh, T = th, D = dh, Z = zh, E = ey/ei/ai/ay, O = au/aw/ow.
 *
 * The rules cover the differences between the BGN/PCGN, ISO 9, ICAO Doc 9303, French and German romanisations of
 * Cyrillic and Arabic, and Spanish z/s and c/k.
 */
const rewrites: readonly (readonly [RegExp, string])[] = [
  [/sc?hc?h|schtsch/g, 'S'],
  [/tsch|tch|cz/g, 'C'],
  [/sch|sh/g, 'S'],
  [/dzh|dj|dsch/g, 'j'],
  [/zh/g, 'Z'],
  [/kh/g, 'K'],
  [/gh/g, 'G'],
  [/ch/g, 'C'],
  [/th/g, 'T'],
  [/dh/g, 'D'],
  [/ph/g, 'f'],
  [/ck/g, 'k'],
  [/tz|ts/g, 'c'],
  [/x/g, 'ks'],
  [/gu(?=[ei])/g, 'g'],
  [/qu(?=[ei])/g, 'k'],
  [/c(?=[eiy])/g, 's'],
  [/c(?=[^eiyh]|$)/g, 'k'],
  [/([^aeiou])\1+/g, '$1'],
  // A glide between vowels is optional: -eyevich, -eevich, -aevich.
  [/([aeo])[yi](?=[eiE])/g, '$1'],
  [/^[yij]e/g, 'e'],
  [/^[ij](?=[aou])/g, 'y'],
  [/([^aeiou])[ij](?=[aou])/g, '$1y'],
  [/(?:iy|yi|ij|ii|yy|ie|ee)$/g, 'i'],
  [/iy|yi|ii|ij|ie|ee/g, 'i'],
  [/(?:ou|oo|uu)/g, 'u'],
  [/(?:[ea][yi]|ej)(?![aou])/g, 'E'],
  [/a[uw](?=[^aeiou]|$)|ow(?=[^aeiou])/g, 'O'],
  [/y(?![aou])/g, 'i'],
  [/w/g, 'v'],
  [/([aeiou])h$/g, '$1'],
  [/([aeiouEO])\1+/g, '$1'],
]

/** Expects lower-case text. Empty only for the empty string. */
export function spellingOf(text: string): string {
  let spelled = text
  for (const [pattern, replacement] of rewrites) spelled = spelled.replace(pattern, replacement)
  return spelled === '' ? text : spelled
}

const soundClass: Readonly<Record<string, string>> = {
  b: 'p',
  p: 'p',
  f: 'f',
  v: 'f',
  w: 'f',
  d: 't',
  t: 't',
  D: 't',
  T: 't',
  g: 'k',
  k: 'k',
  q: 'k',
  c: 's',
  G: 'k',
  K: 'h',
  h: 'h',
  j: 'j',
  Z: 'j',
  C: 'j',
  S: 's',
  s: 's',
  z: 's',
  l: 'l',
  r: 'r',
  m: 'm',
  n: 'n',
}

/**
 * Phonetic key, used to find candidates and never to score them: the consonants without h, in coarse classes. Empty
 * when the key would be shorter than two letters.
 */
export function phoneticKeyOf(spelled: string): string {
  let key = ''
  for (const symbol of spelled) {
    const sound = soundClass[symbol]
    if (sound !== undefined && sound !== 'h' && !key.endsWith(sound)) key += sound
  }
  return key.length >= 2 ? key : ''
}
