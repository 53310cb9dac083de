import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Download, type OutboundClient, OutboundError } from '@kyc/outbound'
import { type LoadedList, loadList } from './load-list.ts'
import { recogniseFile } from './recognise.ts'
import { ListRejected } from './rejection.ts'
import { listFileOnDisk } from './source.ts'
import type { ListSource } from './sources.ts'

/** What the last good answer of a source gave. */
export interface KnownSource {
  source: string | null
  etag: string | null
  lastModified: string | null
}

export type Fetched =
  | { kind: 'unchanged' }
  | { kind: 'list'; list: LoadedList; source: string; etag: string | null; lastModified: string | null }

/** The publisher answered, and not with a list. */
export class SourceUnavailable extends Error {
  override readonly name = 'SourceUnavailable'
}

const timeoutMs = 5 * 60_000
// Some publishers refuse requests that do not say what they are.
const userAgent = 'kyc-sanctions-screening/1 (+sanctions list refresh)'

/**
 * Asks a list's addresses in turn, conditionally when `known` is given, and reads the first whole answer of that list.
 * @param fetchedAt RFC 3339 UTC
 * @param signal ends a download that is under way
 * @throws ListRejected, OutboundError or SourceUnavailable: the last address's reason, when none gave a list
 */
export async function fetchList(
  outbound: OutboundClient,
  source: ListSource,
  known: KnownSource | null,
  fetchedAt: string,
  signal?: AbortSignal,
): Promise<Fetched> {
  let reason: unknown
  for (const url of source.urls) {
    try {
      return await fetchFrom(outbound, source, url, known, fetchedAt, signal)
    } catch (error) {
      if (
        !(
          error instanceof ListRejected ||
          error instanceof OutboundError ||
          error instanceof SourceUnavailable
        )
      )
        throw error
      // The first reason says most: the others are fallbacks.
      reason ??= error
    }
  }
  throw reason
}

async function fetchFrom(
  outbound: OutboundClient,
  source: ListSource,
  url: string,
  known: KnownSource | null,
  fetchedAt: string,
  signal: AbortSignal | undefined,
): Promise<Fetched> {
  const headers: Record<string, string> = { 'user-agent': userAgent, accept: '*/*' }
  if (known !== null && known.source === url) {
    if (known.etag !== null) headers['if-none-match'] = known.etag
    if (known.lastModified !== null) headers['if-modified-since'] = known.lastModified
  }
  const { maxBytes, redirectHosts } = source
  const answer = await outbound.download(url, { maxBytes, timeoutMs, headers, redirectHosts })
  if (answer.status_code === 304) {
    answer.body.destroy()
    return { kind: 'unchanged' }
  }
  if (answer.status_code !== 200) {
    answer.body.destroy()
    throw new SourceUnavailable(`the source answered ${answer.status_code}`)
  }
  const list = await readAnswer(answer, source, fetchedAt, signal)
  return {
    kind: 'list',
    list,
    source: url,
    etag: header(answer, 'etag'),
    lastModified: header(answer, 'last-modified'),
  }
}

/** Parsers read a file more than once, and the connection must not wait for them: the answer goes to disk first. */
async function readAnswer(
  answer: Download,
  source: ListSource,
  fetchedAt: string,
  signal: AbortSignal | undefined,
): Promise<LoadedList> {
  const folder = await mkdtemp(join(tmpdir(), 'kyc-list-'))
  try {
    const path = join(folder, 'list')
    await pipeline(answer.body, createWriteStream(path), { signal })
    const file = await listFileOnDisk(path)
    const { format, part } = await recogniseFile(file)
    if (part !== 'main') throw new ListRejected('missing_part', 'a part of a list instead of the list')
    const list = await loadList(format, { main: file }, fetchedAt)
    if (list.id !== source.list)
      throw new ListRejected('wrong_list', `the file is ${list.id} instead of ${source.list}`)
    return list
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function header(answer: Download, name: 'etag' | 'last-modified'): string | null {
  return answer.headers[name] ?? null
}
