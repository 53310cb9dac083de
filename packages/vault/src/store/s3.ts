import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetBucketVersioningCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { VaultStorageError } from '../errors.ts'
import type { Body, ObjectStore, StoredObject } from './object-store.ts'

export type S3StoreOptions = {
  bucket: string
  /** Without it, the SDK's own endpoint of the region. */
  endpoint?: string
  region?: string
  /** Without them, the SDK's own chain (workload identity, instance role). */
  credentials?: { accessKeyId: string; secretAccessKey: string; sessionToken?: string }
  /** `https://host/bucket/name` instead of `https://bucket.host/name`: what most servers other than AWS want. */
  forcePathStyle?: boolean
  /** Put before every name, ending in `/`. */
  prefix?: string
}

/**
 * Objects in S3-compatible storage. An object becomes visible whole or not at all by the protocol itself;
 * `create` is `If-None-Match: *`, which `check` tries out. One object at a time is held in memory to be sent.
 */
export function s3Store(options: S3StoreOptions): ObjectStore & { close(): void } {
  const { bucket, prefix = '' } = options
  if (prefix !== '' && !/^([A-Za-z0-9][A-Za-z0-9_.-]*\/)+$/.test(prefix))
    throw new TypeError('The prefix must be folders of letters, digits, _ . - and end in a slash.')
  const client = new S3Client({
    region: options.region ?? 'us-east-1',
    endpoint: options.endpoint,
    credentials: options.credentials,
    forcePathStyle: options.forcePathStyle ?? options.endpoint !== undefined,
    // Servers other than AWS often do not know the newer checksum headers; contents authenticate themselves.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  const at = (name: string) => ({ Bucket: bucket, Key: prefix + name })

  async function write(name: string, body: Body, mode: 'create' | 'replace', attempt = 1) {
    const pieces: Uint8Array[] = []
    for await (const piece of body) pieces.push(piece)
    const condition = mode === 'create' ? { IfNoneMatch: '*' } : {}
    try {
      await client.send(new PutObjectCommand({ ...at(name), Body: Buffer.concat(pieces), ...condition }))
      return 'written' as const
    } catch (error) {
      if (mode === 'create' && hasStatus(error, 412)) return 'exists' as const
      // Another write of the same name was under way: the protocol asks to try again.
      if (mode === 'create' && hasStatus(error, 409) && attempt < 5)
        return write(name, pieces, mode, attempt + 1)
      throw error
    }
  }

  async function open(name: string) {
    try {
      const { Body: body, ContentLength: bytes } = await client.send(new GetObjectCommand(at(name)))
      if (!body || bytes === undefined) throw new VaultStorageError('The object storage gave no body.')
      return { body: body as Readable, bytes }
    } catch (error) {
      if (hasStatus(error, 404)) return undefined
      throw error
    }
  }

  async function read(name: string): Promise<Buffer | undefined> {
    const found = await open(name)
    return found && Buffer.concat(await found.body.toArray())
  }

  async function stream(name: string) {
    const found = await open(name)
    if (!found) return undefined
    const { body, bytes } = found
    return { bytes, body: withStorageErrors<Buffer>(body), close: async () => void body.destroy() }
  }

  async function exists(name: string): Promise<boolean> {
    try {
      await client.send(new HeadObjectCommand(at(name)))
      return true
    } catch (error) {
      if (hasStatus(error, 404)) return false
      throw error
    }
  }

  async function remove(name: string): Promise<boolean> {
    const existed = await exists(name)
    await client.send(new DeleteObjectCommand(at(name)))
    return existed
  }

  async function* pages(folder: string, delimiter?: string): AsyncGenerator<ListObjectsV2CommandOutput> {
    let token: string | undefined
    do {
      const page: ListObjectsV2CommandOutput = await client.send(
        new ListObjectsV2Command({
          Bucket: bucket,
          Prefix: `${prefix}${folder}/`,
          Delimiter: delimiter,
          ContinuationToken: token,
        }),
      )
      yield page
      token = page.IsTruncated ? page.NextContinuationToken : undefined
    } while (token !== undefined)
  }

  async function* list(folder: string): AsyncGenerator<StoredObject> {
    for await (const page of pages(folder))
      for (const { Key, Size, LastModified } of page.Contents ?? [])
        yield { name: Key!.slice(prefix.length), bytes: Size!, modified_at: LastModified! }
  }

  async function* children(folder: string): AsyncGenerator<string> {
    const skip = prefix.length + folder.length + 1
    for await (const page of pages(folder, '/')) {
      for (const { Key } of page.Contents ?? []) yield Key!.slice(skip)
      for (const { Prefix } of page.CommonPrefixes ?? []) yield Prefix!.slice(skip, -1)
    }
  }

  /** A bucket that keeps old versions would keep destroyed keys; one that ignores conditions, two keys. */
  async function check(): Promise<void> {
    const versioning = await client
      .send(new GetBucketVersioningCommand({ Bucket: bucket }))
      .catch((error) => {
        // A server that does not know versions keeps none.
        if (hasStatus(error, 501)) return { Status: undefined }
        throw error
      })
    if (versioning.Status !== undefined)
      throw new VaultStorageError('The bucket keeps old versions of objects; a purge could not destroy keys.')
    const probe = `probes/${randomBytes(16).toString('hex')}`
    try {
      await write(probe, [Buffer.from('probe')], 'create')
      if ((await write(probe, [Buffer.from('probe')], 'create')) !== 'exists')
        throw new VaultStorageError('The object storage ignores If-None-Match, which the vault needs.')
    } finally {
      await remove(probe)
    }
  }

  return {
    write: (name, body, mode) => asStorageErrors(() => write(name, body, mode)),
    read: (name) => asStorageErrors(() => read(name)),
    stream: (name) => asStorageErrors(() => stream(name)),
    exists: (name) => asStorageErrors(() => exists(name)),
    delete: (name) => asStorageErrors(() => remove(name)),
    children: (folder) => withStorageErrors(children(folder)),
    list: (folder) => withStorageErrors(list(folder)),
    // An interrupted PUT leaves nothing.
    collectOrphans: async () => 0,
    check: () => asStorageErrors(check),
    close: () => client.destroy(),
  }
}

const hasStatus = (error: unknown, status: number) =>
  error instanceof S3ServiceException && error.$metadata.httpStatusCode === status

function asStorageError(error: unknown): unknown {
  const system = error instanceof Error && 'code' in error && 'syscall' in error
  const client = error instanceof Error && ['TimeoutError', 'CredentialsProviderError'].includes(error.name)
  if (!(error instanceof S3ServiceException) && !system && !client) return error
  return new VaultStorageError(`The object storage failed (${error.name}).`, error)
}

async function asStorageErrors<T>(operation: () => Promise<T>): Promise<T> {
  try {
    return await operation()
  } catch (error) {
    throw asStorageError(error)
  }
}

async function* withStorageErrors<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* items
  } catch (error) {
    throw asStorageError(error)
  }
}
