import { VaultIntegrityError } from '../errors.ts'
import { lengthPrefixed, type Scope } from '../scope.ts'
import { deriveKey, openBytes, sealBytes } from './aead.ts'

const version = 1
/** The second byte of a sealed value: the kind of key that sealed it. */
const kinds = { session: 1, app: 2 } as const
const failure = 'A sealed value does not authenticate: it is damaged, or not the one of this place.'

export type ValuePlace =
  | { kind: 'session'; scope: Scope; context: string }
  | { kind: 'app'; app_id: string; context: string }

/** The key that seals small values. Its label separates it from the keys of files. */
export const valueKeyOf = (secret: Buffer): Buffer =>
  deriveKey(secret, Buffer.alloc(0), lengthPrefixed('kyc-vault/1/value'))

const placeAad = (place: ValuePlace): Buffer =>
  place.kind === 'session'
    ? lengthPrefixed('kyc-vault/1/value', place.scope.app_id, place.scope.session_id, place.context)
    : lengthPrefixed('kyc-vault/1/app-value', place.app_id, place.context)

/** Seals a JSON value for a column: version ‖ kind ‖ nonce ‖ ciphertext ‖ tag, 30 bytes more than the JSON. */
export function sealValue(valueKey: Buffer, place: ValuePlace, value: unknown): Buffer {
  const json = JSON.stringify(value)
  if (json === undefined) throw new TypeError('A value without a JSON form cannot be sealed.')
  const head = Buffer.from([version, kinds[place.kind]])
  return Buffer.concat([head, sealBytes(valueKey, Buffer.from(json, 'utf8'), placeAad(place))])
}

/** Opens a value that `sealValue` sealed in the same place. Throws `VaultIntegrityError` for anything else. */
export function openValue(valueKey: Buffer, place: ValuePlace, bytes: Uint8Array): unknown {
  const sealed = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (sealed.length < 2 || sealed[0] !== version || sealed[1] !== kinds[place.kind])
    throw new VaultIntegrityError(failure)
  return JSON.parse(openBytes(valueKey, sealed.subarray(2), placeAad(place), failure).toString('utf8'))
}
