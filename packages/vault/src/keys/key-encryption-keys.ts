/**
 * The outermost keys. They never encrypt contents, only the keys of apps, so whoever holds the stored files
 * without them holds nothing. Implementations: `keysFromConfig` (key in this process), `transitKeys` (key in
 * a key manager).
 */
export type KeyEncryptionKeys = {
  /** The id under which `wrap` wraps now. Rotation re-wraps whatever names another. */
  currentId(): Promise<string>
  /** Wraps `plaintext` under the current key, bound to `aad`; answers the id to be kept beside the bytes. */
  wrap(plaintext: Buffer, aad: Buffer): Promise<{ keyId: string; wrapped: Buffer }>
  /**
   * Opens what `wrap` made. Throws `VaultKeyUnavailableError` when `keyId` is not held or the key manager is
   * away, `VaultIntegrityError` when the bytes do not open under it.
   */
  unwrap(keyId: string, wrapped: Buffer, aad: Buffer): Promise<Buffer>
}
