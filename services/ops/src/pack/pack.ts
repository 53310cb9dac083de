import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'

/** Why a pack is rejected; nothing was written. */
export class PackError extends Error {
  override readonly name = 'PackError'
}

/**
 * In the format of `sha256sum`, and the raw Ed25519 signature of its bytes; sanctions-screening reads the same format.
 */
const sumsFile = 'SHA256SUMS'
const signatureFile = 'SHA256SUMS.sig'

/** Relative, with `/` between folders, without `..`. */
const safePath = /^(?!\/)(?!.*(^|\/)\.\.?(\/|$))[^\\\0\n]+$/

type PackedFile = { path: string; sha256: string }

/** Writes the checksums of all files in `folder` into it, and their signature. Returns the number of files. */
export async function createPack(folder: string, privateKeyPem: string): Promise<number> {
  const key = createPrivateKey(privateKeyPem)
  if (key.asymmetricKeyType !== 'ed25519') throw new PackError('the key must be an Ed25519 private key (PEM)')
  const files = await filesOf(folder)
  if (files.length === 0) throw new PackError(`there are no files in ${folder}`)
  const sums = Buffer.from(files.map(({ path, sha256 }) => `${sha256}  ./${path}\n`).join(''))
  await writeFile(join(folder, sumsFile), sums)
  await writeFile(join(folder, signatureFile), sign(null, sums, key))
  return files.length
}

/** The signed checksums; throws if they are not signed, or not with this key. */
async function readSums(folder: string, publicKeyPem: string): Promise<PackedFile[]> {
  const sums = await readFile(join(folder, sumsFile))
  const signature = await readFile(join(folder, signatureFile))
  if (!verify(null, sums, createPublicKey(publicKeyPem), signature))
    throw new PackError('the pack was not signed with this key')
  return sums
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [, sha256, path] = /^([0-9a-f]{64}) [ *](?:\.\/)?(.+)$/.exec(line) ?? []
      if (!sha256 || !path || !safePath.test(path))
        throw new PackError(`${sumsFile} has a line that is none of a pack`)
      return { path, sha256 }
    })
}

/**
 * Verifies the signature and every file of a pack, then replaces `target` with its files, atomically. The checksums and
 * their signature are copied too, so that later readers of the folder can verify it.
 * @throws PackError for another key, or a file that is missing, changed or not listed in the pack.
 */
export async function importPack(folder: string, target: string, publicKeyPem: string): Promise<number> {
  const signed = await readSums(folder, publicKeyPem)
  const found = new Map((await filesOf(folder)).map(({ path, sha256 }) => [path, sha256]))
  for (const { path, sha256 } of signed) {
    if (found.get(path) !== sha256) throw new PackError(`${path} is not the file that was signed`)
    found.delete(path)
  }
  const [surplus] = found.keys()
  if (surplus !== undefined) throw new PackError(`${surplus} is not part of the pack`)

  const fresh = `${target}.new`
  const former = `${target}.old`
  await rm(fresh, { recursive: true, force: true })
  for (const { path, sha256 } of signed) {
    const copy = join(fresh, path)
    await mkdir(dirname(copy), { recursive: true })
    await cp(join(folder, path), copy)
    // A file may have been exchanged since it was verified, so the copy is verified as well.
    if ((await sha256Of(copy)) !== sha256) throw new PackError(`${path} was changed while it was copied`)
  }
  for (const file of [sumsFile, signatureFile]) await cp(join(folder, file), join(fresh, file))
  await rm(former, { recursive: true, force: true })
  await rename(target, former).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  await rename(fresh, target)
  await rm(former, { recursive: true, force: true })
  return signed.length
}

async function filesOf(folder: string): Promise<PackedFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files: PackedFile[] = []
  for (const entry of entries) {
    if (entry.isSymbolicLink()) throw new PackError(`${entry.name} is a link`)
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const path = relative(folder, file).split(sep).join('/')
    if (path === sumsFile || path === signatureFile) continue
    files.push({ path, sha256: await sha256Of(file) })
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1))
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
