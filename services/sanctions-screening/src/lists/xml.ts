import { SaxesParser } from 'saxes'
import { ListRejectedError } from '../domain/lists/rejection.ts'

/** An element of the tree of one list entry. Names have no namespace prefix. */
export type XmlElement = {
  name: string
  attributes: Record<string, string>
  text: string
  children: XmlElement[]
}

const maxDepth = 64
/**
 * Characters per record: text, names and attributes. The largest published entries have fewer than 300,000 characters of text.
 * Names and attributes count because an entry of empty elements takes as much memory as one of text.
 */
const maxRecordLength = 8_000_000

/**
 * Streams a document and yields each element whose local name is in `recordNames` (the outermost of nested ones) as a
 * tree. Only the current record is buffered. A DTD is rejected, and with it every entity except the five predefined
 * ones.
 * @param onRoot called once with the root element, attributes only, before any record
 * @throws ListRejectedError `doctype`, `not_well_formed`, `truncated`, `too_large`
 */
export async function* xmlRecords(
  text: AsyncIterable<string>,
  recordNames: ReadonlySet<string>,
  onRoot: (root: XmlElement) => void,
): AsyncGenerator<XmlElement> {
  const finished: XmlElement[] = []
  const open: XmlElement[] = []
  let depth = 0
  let length = 0
  let rootClosed = false
  const parser = new SaxesParser({ xmlns: false })
  parser.on('doctype', () => {
    throw new ListRejectedError('doctype', 'the document contains a DTD, which no list uses')
  })
  parser.on('error', (error) => {
    throw new ListRejectedError('not_well_formed', `not well-formed XML: ${error.message}`)
  })
  parser.on('opentag', (tag) => {
    depth += 1
    if (depth > maxDepth) throw new ListRejectedError('schema', 'the elements are nested too deeply')
    const name = localName(tag.name)
    if (depth === 1) onRoot(element(name, tag.attributes))
    const parent = open.at(-1)
    if (parent === undefined && !recordNames.has(name)) return
    addLength(tag.name.length + 1)
    for (const [key, value] of Object.entries(tag.attributes)) addLength(key.length + value.length)
    const current = element(name, tag.attributes)
    parent?.children.push(current)
    open.push(current)
  })
  const addLength = (added: number): void => {
    length += added
    if (length > maxRecordLength) throw new ListRejectedError('too_large', 'an entry is too large')
  }
  const addText = (value: string): void => {
    const current = open.at(-1)
    if (current === undefined) return
    addLength(value.length)
    current.text += value
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => {
    depth -= 1
    if (depth === 0) rootClosed = true
    const current = open.pop()
    if (current === undefined || open.length > 0) return
    length = 0
    finished.push(current)
  })
  for await (const piece of text) {
    parser.write(piece)
    if (finished.length > 0) yield* finished.splice(0)
  }
  if (!rootClosed)
    throw new ListRejectedError('truncated', 'the document ends before its root element is closed')
  parser.close()
  yield* finished
}

function element(name: string, attributes: Record<string, string>): XmlElement {
  return { name, attributes: withLocalNames(attributes), text: '', children: [] }
}

function withLocalNames(attributes: Record<string, string>): Record<string, string> {
  const keys = Object.keys(attributes)
  if (!keys.some((key) => key.includes(':'))) return attributes
  const local: Record<string, string> = {}
  for (const key of keys) local[localName(key)] = attributes[key] ?? ''
  return local
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** The first child with the name. */
export function child(parent: XmlElement | undefined, name: string): XmlElement | undefined {
  return parent?.children.find((element) => element.name === name)
}

/** All elements at a path of child names. */
export function descend(parent: XmlElement | undefined, ...path: readonly string[]): XmlElement[] {
  let level = parent === undefined ? [] : [parent]
  for (const name of path)
    level = level.flatMap((element) => element.children.filter((inner) => inner.name === name))
  return level
}

/** Text of the first element at the path; undefined when it is blank. */
export function textAt(parent: XmlElement | undefined, ...path: readonly string[]): string | undefined {
  const value = descend(parent, ...path)[0]?.text.trim()
  return value === '' ? undefined : value
}
