// `make-env.mjs [file]`: writes .env from .env.example with fresh secrets. An existing file is never modified.
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const target = process.argv[2] ?? join(root, '.env')
const identity = generateKeyPairSync('ed25519')
const jwk = (key) => `'${JSON.stringify(key.export({ format: 'jwk' }))}'`

/** Secrets that are not passwords of letters and digits. */
const made = {
  VAULT_KEY: () => randomBytes(32).toString('base64'),
  INTERNAL_IDENTITY_PRIVATE_KEY: () => jwk(identity.privateKey),
  INTERNAL_IDENTITY_PUBLIC_KEY: () => jwk(identity.publicKey),
  AUDIT_SIGNING_KEY: () => jwk(generateKeyPairSync('ed25519').privateKey),
}
/** In .env.example a secret is a variable without a value under a comment that contains "secret". */
let secret = false
const lines = readFileSync(join(root, '.env.example'), 'utf8')
  .split('\n')
  .map((line) => {
    if (line.startsWith('#')) secret ||= /\bsecrets?\b/i.test(line)
    if (line === '') secret = false
    const name = /^([A-Z0-9_]+)=$/.exec(line)?.[1]
    if (name === undefined || !secret) return line
    return `${name}=${(made[name] ?? (() => randomBytes(32).toString('hex')))()}`
  })
try {
  writeFileSync(target, lines.join('\n'), { mode: 0o600, flag: 'wx' })
  process.stdout.write(
    `wrote ${target}; keep a copy of it in a safe place: without VAULT_KEY what is stored cannot be read\n`,
  )
} catch (error) {
  if (error.code !== 'EEXIST') throw error
  process.stdout.write(`${target} exists already and was left as it is\n`)
}
