export type VaultErrorCode = 'key_destroyed' | 'integrity' | 'object_missing' | 'key_unavailable' | 'storage'

/** Base class of the errors that the vault throws deliberately. Messages contain ids only, never contents or keys. */
export class VaultError extends Error {
  override readonly name: string = 'VaultError'
  readonly code: VaultErrorCode

  constructor(code: VaultErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}

/** The session's data key was destroyed by a purge, or never existed, so nothing sealed under it can be read again. */
export class VaultKeyDestroyedError extends VaultError {
  override readonly name = 'VaultKeyDestroyedError'
  constructor(message: string) {
    super('key_destroyed', message)
  }
}

/** The stored bytes are not what was written for this app, session and object: damaged, swapped or truncated. */
export class VaultIntegrityError extends VaultError {
  override readonly name = 'VaultIntegrityError'
  constructor(message: string, cause?: unknown) {
    super('integrity', message, cause)
  }
}

/** The session's key exists, but the object does not: the file was lost or deleted. */
export class VaultObjectMissingError extends VaultError {
  override readonly name = 'VaultObjectMissingError'
  constructor(message: string) {
    super('object_missing', message)
  }
}

/** The required key-encryption key is not configured or is a different one, or its key manager is unavailable. */
export class VaultKeyUnavailableError extends VaultError {
  override readonly name = 'VaultKeyUnavailableError'
  constructor(message: string, cause?: unknown) {
    super('key_unavailable', message, cause)
  }
}

/** The disk is full, the folder is not writable or the object storage is unavailable. Nothing was stored. */
export class VaultStorageError extends VaultError {
  override readonly name = 'VaultStorageError'
  constructor(message: string, cause?: unknown) {
    super('storage', message, cause)
  }
}
