import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { z } from 'zod'

/** Why a pack is not taken; nothing was written. */
export class PackError extends Error {
  override readonly name = 'PackError'
}

const packFile = 'pack.json'
const packSchema = z.strictObject({
  format: z.literal(1),
  created_at: z.string(),
  files: z.array(
    z.strictObject({
      /** With `/` between folders, relative, without `..`. */
      path: z.string().regex(/^(?!\/)(?!.*(^|\/)\.\.?(\/|$))[^\\\0]+$/),
      bytes: z.int().min(0),
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
    }),
  ),
  /** Ed25519 over the JSON of the other members, in base64. */
  signature: z.string(),
})
type Pack = z.infer<typeof packSchema>

const signedBytes = ({ format, created_at, files }: Omit<Pack, 'signature'>): Buffer =>
  Buffer.from(JSON.stringify({ format, created_at, files }))

/** Writes `pack.json` into `folder`: the sums of all files in it, signed. Returns how many files there are. */
export async function createPack(folder: string, privateKeyPem: string, now: Date): Promise<number> {
  const key = createPrivateKey(privateKeyPem)
  if (key.asymmetricKeyType !== 'ed25519') throw new PackError('the key must be an Ed25519 private key (PEM)')
  const files = await filesOf(folder)
  if (files.length === 0) throw new PackError(`there are no files in ${folder}`)
  const content = { format: 1 as const, created_at: now.toISOString(), files }
  const signature = sign(null, signedBytes(content), key).toString('base64')
  await writeFile(join(folder, packFile), `${JSON.stringify({ ...content, signature }, null, 2)}\n`)
  return files.length
}

/**
 * Checks the signature and every file of a pack, then puts its files in place of `target`: all of them or nothing.
 * @throws PackError for another key, a file that is missing, changed or not named by the pack.
 */
export async function importPack(folder: string, target: string, publicKeyPem: string): Promise<number> {
  const pack = packSchema.parse(JSON.parse(await readFile(join(folder, packFile), 'utf8')))
  const key = createPublicKey(publicKeyPem)
  if (!verify(null, signedBytes(pack), key, Buffer.from(pack.signature, 'base64')))
    throw new PackError('the pack was not signed with this key')
  const found = new Map((await filesOf(folder)).map((file) => [file.path, file]))
  for (const file of pack.files) {
    if (found.get(file.path)?.sha256 !== file.sha256)
      throw new PackError(`${file.path} is not the file that was signed`)
    found.delete(file.path)
  }
  const [surplus] = found.keys()
  if (surplus !== undefined) throw new PackError(`${surplus} is not part of the pack`)

  const fresh = `${target}.new`
  const former = `${target}.old`
  await rm(fresh, { recursive: true, force: true })
  for (const { path, sha256 } of pack.files) {
    const copy = join(fresh, path)
    await mkdir(dirname(copy), { recursive: true })
    await cp(join(folder, path), copy)
    // What was judged a moment ago may have been exchanged since: the copy is what counts.
    if ((await sha256Of(copy)) !== sha256) throw new PackError(`${path} was changed while it was copied`)
  }
  await rm(former, { recursive: true, force: true })
  await rename(target, former).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  await rename(fresh, target)
  await rm(former, { recursive: true, force: true })
  return pack.files.length
}

async function filesOf(folder: string): Promise<Pack['files']> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files: Pack['files'] = []
  for (const entry of entries) {
    if (entry.isSymbolicLink()) throw new PackError(`${entry.name} is a link`)
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const path = relative(folder, file).split(sep).join('/')
    if (path === packFile) continue
    files.push({ path, bytes: (await stat(file)).size, sha256: await sha256Of(file) })
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1))
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
