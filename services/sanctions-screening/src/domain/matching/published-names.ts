const latin = /\p{Script=Latin}/u
const otherLetters = /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u
const otherRuns =
  /[^\p{Script=Latin}]*[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}][^\p{Script=Latin}]*/gu
const birthDetails = /[\s,;(]+(?:previously\s+)?(?:born|date of birth|dob)\b.*$/i

/**
 * Splits a published name field into names. A name followed by its original script (`Jin Tiesan (金铁三)`) gives two;
 * birth details that some publishers append are removed. Never empty.
 */
export function splitPublishedName(published: string): string[] {
  const name = published.replace(birthDetails, '').trim() || published
  if (!latin.test(name) || !otherLetters.test(name)) return [name]
  const other = (name.match(otherRuns) ?? []).join(' ').trim()
  const plain = name.replace(otherRuns, ' ').trim()
  return [plain, other].filter((text) => text !== '')
}
