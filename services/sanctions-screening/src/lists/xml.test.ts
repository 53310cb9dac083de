import { describe, expect, test } from '@jest/globals'
import { xmlRecords } from './xml.ts'

async function* inPieces(text: string, length = 65_536) {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length)
}

/** The texts of every `entry` of a document. */
async function read(document: string): Promise<string[]> {
  const texts: string[] = []
  for await (const record of xmlRecords(inPieces(document), new Set(['entry']), () => {}))
    texts.push(record.text)
  return texts
}

const list = (content: string) => `<?xml version="1.0"?><list>${content}</list>`

test('the five entities of XML and character references are read', async () => {
  expect(await read(list('<entry>&lt;&amp;&gt;&quot;&apos;&#233;&#x4e2d;</entry>'))).toEqual(['<&>"\'é中'])
})

describe('a document is refused when it', () => {
  test.each([
    ['carries a DTD', '<!DOCTYPE list><list><entry>a</entry></list>', 'doctype'],
    [
      'carries a DTD after a long comment, where the recognition of the format no longer looks',
      `<?xml version="1.0"?><!--${' '.repeat(100_000)}--><!DOCTYPE list [<!ENTITY a "b">]><list><entry>&a;</entry></list>`,
      'doctype',
    ],
    [
      'names a file as an outer entity',
      '<!DOCTYPE list [<!ENTITY a SYSTEM "file:///etc/passwd">]><list><entry>&a;</entry></list>',
      'doctype',
    ],
    ['uses an entity that XML does not define', list('<entry>&a;</entry>'), 'not_well_formed'],
    ['nests 65 elements', list('<a>'.repeat(64)), 'schema'],
    [
      'has an entry of more than 8,000,000 characters',
      list(`<entry>${'a'.repeat(8_000_001)}</entry>`),
      'too_large',
    ],
    [
      'has an entry of empty elements whose names are longer together',
      list(`<entry>${`<${'a'.repeat(100_000)}/>`.repeat(81)}</entry>`),
      'too_large',
    ],
    [
      'has an entry whose attributes are longer',
      list(`<entry>${`<a b="${'c'.repeat(1_000_000)}"/>`.repeat(9)}</entry>`),
      'too_large',
    ],
  ])('%s', async (_, document, code) => {
    await expect(read(document)).rejects.toMatchObject({ code })
  })
})

test('many entries below the limit are read, although they exceed it together', async () => {
  expect(await read(list(`<entry>${'a'.repeat(1_000_000)}</entry>`.repeat(9)))).toHaveLength(9)
})
