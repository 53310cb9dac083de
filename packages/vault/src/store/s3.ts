import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { ListObjectsV2CommandOutput, S3ClientConfig } from '@aws-sdk/client-s3'
import { VaultError, VaultStorageError } from '../errors.ts'
import type { ObjectStore, StoredObject } from './object-store.ts'

export type S3StoreOptions = {
  bucket: string
  /** Default: the SDK's endpoint of the region. */
  endpoint?: string
  region?: string
  /** Default: the SDK's credential chain (workload identity, instance role). */
  credentials?: { accessKeyId: string; secretAccessKey: string; sessionToken?: string }
  /** `https://host/bucket/name` instead of `https://bucket.host/name`. Required by most servers other than AWS. */
  forcePathStyle?: boolean
  /** A prefix for every name. */
  prefix?: string
  /** Objects per listing request, at most 1,000. */
  listPageSize?: number
}

/**
 * Objects in S3-compatible storage. The protocol makes an object visible completely or not at all; `create` is
 * `If-None-Match: *`, which `check` tests. One object at a time is held in memory while it is sent.
 */
export function s3Store(options: S3StoreOptions): ObjectStore & { close(): void } {
  const { bucket } = options
  const prefix = options.prefix ? `${options.prefix.replace(/\/$/, '')}/` : ''
  if (!/^([A-Za-z0-9][A-Za-z0-9_.-]*\/)*$/.test(prefix))
    throw new TypeError('The prefix must be folders of letters, digits, _ . - and no other.')
  // Loaded on first use, so that a vault in a folder does not load the SDK.
  const load = async () => {
    const s3 = await import('@aws-sdk/client-s3')
    return { s3, client: new s3.S3Client(clientOptions) }
  }
  let loaded: ReturnType<typeof load> | undefined
  const aws = () => {
    loaded ??= load()
    return loaded
  }
  const clientOptions: S3ClientConfig = {
    region: options.region ?? 'us-east-1',
    endpoint: options.endpoint,
    credentials: options.credentials,
    forcePathStyle: options.forcePathStyle ?? options.endpoint !== undefined,
    // Servers other than AWS often do not support the newer checksum headers, and the contents are authenticated
    // anyway.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  }
  const at = (name: string) => ({ Bucket: bucket, Key: prefix + name })

  async function put(name: string, body: Buffer, mode: 'create' | 'replace', attempt = 1) {
    const { s3, client } = await aws()
    const condition = mode === 'create' ? { IfNoneMatch: '*' } : {}
    try {
      await client.send(new s3.PutObjectCommand({ ...at(name), Body: body, ...condition }))
      return 'written' as const
    } catch (error) {
      if (mode === 'create' && hasStatus(error, 412)) return 'exists' as const
      // Another write of the same name was in progress; S3 requires the client to retry.
      if (mode === 'create' && hasStatus(error, 409) && attempt < 5) return put(name, body, mode, attempt + 1)
      throw error
    }
  }

  async function open(name: string) {
    const { s3, client } = await aws()
    try {
      const { Body: body, ContentLength: bytes } = await client.send(new s3.GetObjectCommand(at(name)))
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
    const { s3, client } = await aws()
    try {
      await client.send(new s3.HeadObjectCommand(at(name)))
      return true
    } catch (error) {
      if (hasStatus(error, 404)) return false
      throw error
    }
  }

  async function remove(name: string): Promise<boolean> {
    const { s3, client } = await aws()
    const existed = await exists(name)
    await client.send(new s3.DeleteObjectCommand(at(name)))
    return existed
  }

  async function* pages(folder: string, delimiter?: string): AsyncGenerator<ListObjectsV2CommandOutput> {
    const { s3, client } = await aws()
    let token: string | undefined
    do {
      const page: ListObjectsV2CommandOutput = await client.send(
        new s3.ListObjectsV2Command({
          Bucket: bucket,
          Prefix: `${prefix}${folder}/`,
          Delimiter: delimiter,
          ContinuationToken: token,
          MaxKeys: options.listPageSize,
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

  /** A bucket with versioning would retain destroyed keys. A bucket that ignores conditions could store two keys. */
  async function check(): Promise<void> {
    const { s3, client } = await aws()
    const versioning = await client
      .send(new s3.GetBucketVersioningCommand({ Bucket: bucket }))
      .catch((error) => {
        // A server without versioning support retains no versions.
        if (hasStatus(error, 501)) return { Status: undefined }
        throw error
      })
    if (versioning.Status !== undefined)
      throw new VaultStorageError('The bucket keeps old versions of objects; a purge could not destroy keys.')
    const probe = `probes/${randomBytes(16).toString('hex')}`
    try {
      await put(probe, Buffer.from('probe'), 'create')
      if ((await put(probe, Buffer.from('probe'), 'create')) !== 'exists')
        throw new VaultStorageError('The object storage ignores If-None-Match, which the vault needs.')
    } finally {
      await remove(probe)
    }
  }

  return {
    async write(name, body, mode) {
      const pieces: Uint8Array[] = []
      for await (const piece of body) pieces.push(piece)
      return asStorageErrors(() => put(name, Buffer.concat(pieces), mode))
    },
    read: (name) => asStorageErrors(() => read(name)),
    stream: (name) => asStorageErrors(() => stream(name)),
    exists: (name) => asStorageErrors(() => exists(name)),
    delete: (name) => asStorageErrors(() => remove(name)),
    children: (folder) => withStorageErrors(children(folder)),
    list: (folder) => withStorageErrors(list(folder)),
    // An interrupted PUT leaves nothing.
    collectOrphans: async () => 0,
    check: () => asStorageErrors(check),
    close: () => void loaded?.then(({ client }) => client.destroy()),
  }
}

/** The HTTP status of a response that the SDK turned into an error; undefined when there was none. */
function statusOf(error: unknown): number | undefined {
  const { $metadata } = error as { $metadata?: { httpStatusCode?: number } }
  return $metadata?.httpStatusCode
}
const hasStatus = (error: unknown, status: number) => statusOf(error) === status

/** Every error that the SDK throws, with or without a response, is a failure of the medium. */
function asStorageError(error: unknown): unknown {
  if (error instanceof VaultError) return error
  return new VaultStorageError(`The object storage failed (${(error as Error | undefined)?.name}).`, error)
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
