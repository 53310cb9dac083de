import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { z } from 'zod'

const requestSchema = z.object({
  plaintext: z.base64().optional(),
  ciphertext: z.string().optional(),
  associated_data: z.base64().optional(),
  min_decryption_version: z.number().optional(),
})
type Answer = { status: number; body: unknown }
type Key = { versions: Buffer[]; minDecryptionVersion: number }

const refuse = (status: number, ...errors: string[]): Answer => ({ status, body: { errors } })
const answer = (data: object): Answer => ({ status: 200, body: { request_id: 'fake', data } })

/**
 * The HTTP contract of the Transit secrets engine according to its API documentation, for one token: keys, encrypt and
 * decrypt with associated data, rotation, minimum decryption version, sealing.
 */
export class FakeTransit {
  readonly token = `hvs.${randomBytes(12).toString('hex')}`
  sealed = false
  /** Bodies of all requests, to check what leaves the process. */
  readonly seen: string[] = []
  readonly namespaces: (string | undefined)[] = []
  readonly #keys = new Map<string, Key>()
  readonly #server = createServer((request, response) => {
    void this.#handle(request).then(({ status, body }) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    const address = this.#server.address()
    if (typeof address !== 'object' || !address) throw new Error('no address')
    return `http://127.0.0.1:${address.port}`
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #handle(request: IncomingMessage): Promise<Answer> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    this.seen.push(text)
    this.namespaces.push(request.headers['x-vault-namespace'] as string | undefined)
    if (this.sealed) return refuse(503, 'Vault is sealed')
    if (request.headers['x-vault-token'] !== this.token) return refuse(403, 'permission denied')
    const [, action, name, more] =
      /^\/v1\/transit\/(\w+)\/([\w.-]+)(?:\/(\w+))?$/.exec(request.url ?? '') ?? []
    if (request.method !== 'POST' || !action || !name) return refuse(404)
    const parsed = requestSchema.safeParse(text === '' ? {} : JSON.parse(text))
    if (!parsed.success) return refuse(400, 'failed to parse JSON input')
    return this.#act(action, name, more, parsed.data)
  }

  #act(action: string, name: string, more: string | undefined, input: z.infer<typeof requestSchema>): Answer {
    const key = this.#keys.get(name)
    if (action === 'keys' && !more) {
      if (!key) this.#keys.set(name, { versions: [randomBytes(32)], minDecryptionVersion: 1 })
      return answer({ name, latest_version: 1 })
    }
    if (!key) return refuse(400, 'encryption key not found')
    if (action === 'keys' && more === 'rotate') key.versions.push(randomBytes(32))
    if (action === 'keys' && more === 'config') key.minDecryptionVersion = input.min_decryption_version ?? 1
    if (action === 'keys') return answer({})
    const aad = Buffer.from(input.associated_data ?? '', 'base64')
    if (action === 'encrypt') return encrypt(key, Buffer.from(input.plaintext ?? '', 'base64'), aad)
    if (action === 'decrypt') return decrypt(key, input.ciphertext ?? '', aad)
    return refuse(404)
  }
}

function encrypt(key: Key, plaintext: Buffer, aad: Buffer): Answer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key.versions.at(-1)!, nonce).setAAD(aad)
  const sealed = Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
  const key_version = key.versions.length
  return answer({ ciphertext: `vault:v${key_version}:${sealed.toString('base64')}`, key_version })
}

function decrypt(key: Key, ciphertext: string, aad: Buffer): Answer {
  const [, version, encoded] = /^vault:v(\d+):(.*)$/.exec(ciphertext) ?? []
  if (!version || encoded === undefined) return refuse(400, 'invalid ciphertext: no prefix')
  const held = key.versions[Number(version) - 1]
  if (!held) return refuse(400, 'invalid ciphertext: version is too new')
  if (Number(version) < key.minDecryptionVersion)
    return refuse(400, 'ciphertext or signature version is disallowed by policy (too old)')
  const sealed = Buffer.from(encoded, 'base64')
  if (sealed.toString('base64') !== encoded) return refuse(400, 'invalid ciphertext: could not decode base64')
  if (sealed.length < 28) return refuse(400, 'invalid ciphertext: no nonce')
  try {
    const decipher = createDecipheriv('aes-256-gcm', held, sealed.subarray(0, 12)).setAAD(aad)
    decipher.setAuthTag(sealed.subarray(-16))
    const plaintext = Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()])
    return answer({ plaintext: plaintext.toString('base64') })
  } catch {
    return refuse(400, 'cipher: message authentication failed')
  }
}
