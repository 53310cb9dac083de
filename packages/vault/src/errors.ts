export type VaultErrorCode = 'key_destroyed' | 'integrity' | 'object_missing' | 'key_unavailable' | 'storage'

/** Whatever the vault throws on purpose. Messages name ids only, never contents or keys. */
export class VaultError extends Error {
  override readonly name: string = 'VaultError'
  readonly code: VaultErrorCode

  constructor(code: VaultErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}

/** The session's data key was destroyed by a purge, or never existed: nothing under it can be read again. */
export class VaultKeyDestroyedError extends VaultError {
  override readonly name = 'VaultKeyDestroyedError'
  constructor(message: string) {
    super('key_destroyed', message)
  }
}

/** What is stored is not what was written here, for this app, session and object: damaged, swapped or cut. */
export class VaultIntegrityError extends VaultError {
  override readonly name = 'VaultIntegrityError'
  constructor(message: string, cause?: unknown) {
    super('integrity', message, cause)
  }
}

/** The session's key exists, the object does not: a file lost, or deleted. */
export class VaultObjectMissingError extends VaultError {
  override readonly name = 'VaultObjectMissingError'
  constructor(message: string) {
    super('object_missing', message)
  }
}

/** The key-encryption key that is needed is not configured, is another one, or its key manager is away. */
export class VaultKeyUnavailableError extends VaultError {
  override readonly name = 'VaultKeyUnavailableError'
  constructor(message: string, cause?: unknown) {
    super('key_unavailable', message, cause)
  }
}

/** The disk is full, the folder is not writable, the object storage is away: nothing was stored. */
export class VaultStorageError extends VaultError {
  override readonly name = 'VaultStorageError'
  constructor(message: string, cause?: unknown) {
    super('storage', message, cause)
  }
}
