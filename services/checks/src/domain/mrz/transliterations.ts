/**
 * Latin letters beyond A to Z whose spelling is not the base letter: ICAO 9303-3 section 6 A, recommended form first.
 */
const latin =
  'Ä AE|Å AA|Æ AE|Ð D|Ö OE|Ø OE O|Þ TH|Ü UE UXX|ß SS|ẞ SS|Ñ N NXX|Đ D|Ħ H|Ĳ IJ|ĸ Q|Ł L|Ŀ L|Ŋ N|Œ OE|Ŧ T|İ I|Ə E'

/** Cyrillic letters: section 6 B, the general form first, national forms after it. */
const cyrillic =
  'Ё E IO|Ђ D|Є IE|Ѕ DZ|І I|Ї I YI|Ј J|Љ LJ|Њ NJ|Ќ K KJ|Ў U|Џ DZ DJ|А A|Б B|В V|Г G H|Д D|Е E|Ж ZH Z|З Z|И I Y|Й I Y|К K|Л L|М M|' +
  'Н N|О O|П P|Р R|С S|Т T|У U|Ф F|Х KH H|Ц TS C|Ч CH C|Ш SH S|Щ SHCH SHT|Ъ IE A|Ы Y|Ь |Э E|Ю IU YU|Я IA YA|Ѣ IE|Ѫ U|Ѵ Y|Ґ G|' +
  'Ғ F G|Ћ C|Ѓ G GJ|Қ K|Ң N|Ө O|Ү U|Ұ U|Һ H|Ә A'

/** Upper-case character to its spellings in the MRZ, the recommended one first. */
export const transliterations: ReadonlyMap<string, readonly string[]> = new Map(
  `${latin}|${cyrillic}`.split('|').map((entry): [string, readonly string[]] => {
    const [character = '', ...spellings] = entry.split(' ')
    return [character, spellings]
  }),
)
