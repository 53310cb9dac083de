/**
 * The outermost keys. They encrypt only the keys of apps and never contents, so the stored files are useless without
 * them. Implementations: `keysFromConfig` (key in this process), `transitKeys` (key in a key manager).
 */
export type KeyEncryptionKeys = {
  /** The id of the key that `wrap` currently uses. Rotation re-wraps everything under other ids. */
  currentId(): Promise<string>
  /** Wraps `plaintext` under the current key, bound to `aad`; returns the id to store with the bytes. */
  wrap(plaintext: Buffer, aad: Buffer): Promise<{ keyId: string; wrapped: Buffer }>
  /**
   * Unwraps the result of `wrap`. Throws `VaultKeyUnavailableError` when the key `keyId` is not configured or the key
   * manager is unavailable, and `VaultIntegrityError` when the bytes do not open under it.
   */
  unwrap(keyId: string, wrapped: Buffer, aad: Buffer): Promise<Buffer>
}
