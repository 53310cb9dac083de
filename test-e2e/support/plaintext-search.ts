import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'

/** The personal data to search for, in every form in which it could have been written unprotected. */
export type Markers = Record<string, string | Buffer>

type Needle = { name: string; form: string; bytes: Buffer }

const ascii = (text: string) => Buffer.from(text, 'latin1')

/** Base64 of `bytes` at any position of a longer text: the characters that do not depend on the surrounding bytes. */
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replaceAll('=', '')
    return text.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6))
  })
}

function needlesOf(markers: Markers): Needle[] {
  return Object.entries(markers).flatMap(([name, value]) => {
    const bytes = typeof value === 'string' ? Buffer.from(value, 'utf8') : value
    const forms: [string, Buffer][] = [
      ['as it is', bytes],
      ['in hex', ascii(bytes.toString('hex'))],
      ...base64Forms(bytes).map((text): [string, Buffer] => ['in base64', ascii(text)]),
    ]
    if (typeof value === 'string') {
      forms.push(['in lower case', ascii(value.toLowerCase())], ['in upper case', ascii(value.toUpperCase())])
      forms.push(['in UTF-16', Buffer.from(value, 'utf16le')])
      // A plain hash of a guessable value is as sensitive as the value.
      for (const text of [value, value.toLowerCase(), value.toUpperCase()]) {
        const digest = createHash('sha256').update(text).digest()
        forms.push(['as a plain hash', digest], ['as a plain hash', ascii(digest.toString('hex'))])
      }
    }
    return forms.map(([form, needle]) => ({ name, form, bytes: needle }))
  })
}

/** Which markers are in `haystack`, and in which form. */
export function findMarkers(place: string, haystack: Buffer | string, markers: Markers): string[] {
  const buffer = typeof haystack === 'string' ? Buffer.from(haystack, 'utf8') : haystack
  return needlesOf(markers)
    .filter(({ bytes }) => buffer.includes(bytes))
    .map(({ name, form }) => `${place}: ${name} ${form}`)
}

export async function findOnDisk(folder: string, markers: Markers): Promise<string[]> {
  const found: string[] = []
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    // A file may disappear while its folder is read, because the database cleans up.
    const content = await readFile(path).catch(() => Buffer.alloc(0))
    found.push(...findMarkers(path, content, markers))
  }
  return found
}

/** Every row of every table of every service and of the bus, as text, like the output of `pg_dump`. */
export async function dumpTables(databaseUrl: string): Promise<Map<string, string>> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS name FROM pg_tables
       WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`,
    )
    const dump = new Map<string, string>()
    for (const { name } of tables) {
      // The published sanctions lists name thousands of people who are not customers.
      if (name.startsWith('sanctions_screening.list_') || name.includes('list_version')) continue
      const { rows } = await client.query<{ row: string }>(`SELECT t::text AS row FROM ${name} AS t`)
      dump.set(name, rows.map((row) => row.row).join('\n'))
    }
    return dump
  } finally {
    await client.end()
  }
}

export async function findInTables(databaseUrl: string, markers: Markers): Promise<string[]> {
  const dump = await dumpTables(databaseUrl)
  return [...dump].flatMap(([table, text]) => findMarkers(table, text, markers))
}
