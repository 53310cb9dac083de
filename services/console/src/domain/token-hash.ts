import { createHash } from 'node:crypto'

/** The stored form of a token. Plain SHA-256 suffices because tokens have 256 random bits. */
export const tokenHash = (token: string): Buffer => createHash('sha256').update(token).digest()
