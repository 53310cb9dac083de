import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Download, type OutboundClient, OutboundError } from '@kyc/outbound'
import { ListRejectedError } from '../domain/lists/rejection.ts'
import { type LoadedList, loadList } from './load-list.ts'
import { recogniseFile } from './recognise.ts'
import { listFileOnDisk } from './source.ts'
import type { ListSource } from './sources.ts'

/** Validators of a source's last complete response, sent with the next conditional request (RFC 9110, section 13). */
export type DownloadValidators = {
  source: string | null
  etag: string | null
  lastModified: string | null
}

type FetchResult =
  | { kind: 'unchanged' }
  | { kind: 'list'; list: LoadedList; source: string; etag: string | null; lastModified: string | null }

/** The publisher responded with a status that is neither 200 nor 304. */
export class SourceUnavailableError extends Error {
  override readonly name = 'SourceUnavailable'
}

const timeoutMs = 5 * 60_000
// Some publishers reject requests without a user agent.
const userAgent = 'kyc-sanctions-screening/1 (+sanctions list refresh)'

/**
 * Requests the URLs of a list in order and returns the first complete list. The request is conditional when
 * `validators` are given.
 * @param fetchedAt RFC 3339 UTC
 * @param signal aborts a download in progress
 * @throws ListRejectedError, OutboundError or SourceUnavailableError when no URL returns the list: the error of the
 * first
 */
export async function fetchList(
  outbound: OutboundClient,
  source: ListSource,
  validators: DownloadValidators | null,
  fetchedAt: string,
  signal?: AbortSignal,
): Promise<FetchResult> {
  let firstError: unknown
  for (const url of source.urls) {
    try {
      return await fetchFrom(outbound, source, url, validators, fetchedAt, signal)
    } catch (error) {
      if (
        !(
          error instanceof ListRejectedError ||
          error instanceof OutboundError ||
          error instanceof SourceUnavailableError
        )
      )
        throw error
      // Report the error of the preferred URL: the others are fallbacks.
      firstError ??= error
    }
  }
  throw firstError
}

async function fetchFrom(
  outbound: OutboundClient,
  source: ListSource,
  url: string,
  validators: DownloadValidators | null,
  fetchedAt: string,
  signal: AbortSignal | undefined,
): Promise<FetchResult> {
  const headers: Record<string, string> = { 'user-agent': userAgent, accept: '*/*' }
  if (validators !== null && validators.source === url) {
    if (validators.etag !== null) headers['if-none-match'] = validators.etag
    if (validators.lastModified !== null) headers['if-modified-since'] = validators.lastModified
  }
  const { maxBytes, redirectHosts } = source
  const response = await outbound.download(url, { maxBytes, timeoutMs, headers, redirectHosts })
  if (response.status_code === 304) {
    response.body.destroy()
    return { kind: 'unchanged' }
  }
  if (response.status_code !== 200) {
    response.body.destroy()
    throw new SourceUnavailableError(`the source responded with status ${response.status_code}`)
  }
  const list = await readResponse(response, source, fetchedAt, signal)
  return {
    kind: 'list',
    list,
    source: url,
    etag: header(response, 'etag'),
    lastModified: header(response, 'last-modified'),
  }
}

/**
 * Writes the response to disk first, because parsers read a file more than once and a slow parser must not hold the
 * connection open.
 */
async function readResponse(
  response: Download,
  source: ListSource,
  fetchedAt: string,
  signal: AbortSignal | undefined,
): Promise<LoadedList> {
  const folder = await mkdtemp(join(tmpdir(), 'kyc-list-'))
  try {
    const path = join(folder, 'list')
    await pipeline(response.body, createWriteStream(path), { signal })
    const file = await listFileOnDisk(path)
    const { format, part } = await recogniseFile(file)
    if (part !== 'main') throw new ListRejectedError('missing_part', 'the file is only one part of a list')
    const list = await loadList(format, { main: file }, fetchedAt)
    if (list.id !== source.list)
      throw new ListRejectedError('wrong_list', `the file is the list ${list.id}, expected ${source.list}`)
    return list
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function header(response: Download, name: 'etag' | 'last-modified'): string | null {
  return response.headers[name] ?? null
}
