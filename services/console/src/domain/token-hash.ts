import { createHash } from 'node:crypto'

/** What is stored of a token that has 256 random bits of its own. */
export const tokenHash = (token: string): Buffer => createHash('sha256').update(token).digest()
