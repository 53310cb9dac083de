const keyword =
  /\b(SELECT|INSERT INTO|UPDATE|DELETE FROM|WHERE|FROM|VALUES|JOIN|ORDER BY|SET|CREATE|DROP|ALTER|TRUNCATE|NOTIFY|LISTEN|AND)\b/

/** The expressions of every template literal of `source` that looks like SQL, including those of nested literals. */
export function sqlInterpolations(source: string): string[] {
  const found: string[] = []
  for (let at = source.indexOf('`'); at !== -1; at = source.indexOf('`', at)) {
    const literal = readTemplate(source, at)
    if (keyword.test(literal.text)) found.push(...literal.expressions)
    for (const expression of literal.expressions) found.push(...sqlInterpolations(expression))
    at = literal.end
  }
  return found
}

/** Reads the template literal that starts at `start`: its text without the expressions, and the expressions. */
function readTemplate(source: string, start: number) {
  let text = ''
  const expressions: string[] = []
  let at = start + 1
  while (at < source.length && source[at] !== '`') {
    if (source[at] === '\\') at += 2
    else if (source.startsWith('${', at)) {
      const end = endOfExpression(source, at + 2)
      expressions.push(source.slice(at + 2, end).trim())
      at = end + 1
    } else text += source[at++]
  }
  return { text, expressions, end: at + 1 }
}

/** The position of the brace that closes the expression. */
function endOfExpression(source: string, start: number): number {
  let depth = 0
  for (let at = start; at < source.length; at++) {
    const character = source[at]
    if (character === '`') at = readTemplate(source, at).end - 1
    else if (character === '{') depth++
    else if (character === '}' && depth-- === 0) return at
  }
  return source.length
}
