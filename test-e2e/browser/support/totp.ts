import { createHmac } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const periodMs = 30_000

function fromBase32(text: string): Buffer {
  const bits = [...text.replace(/[= ]/g, '')]
    .map((c) => alphabet.indexOf(c).toString(2).padStart(5, '0'))
    .join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** The code of RFC 6238 that an authenticator app shows in a time step (SHA-1, 6 digits, 30 s). */
function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 0xf
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/**
 * A phone that never gives the same code twice: each code is from a later time step than the one before. Up to three
 * codes are valid at any moment, because the server allows clocks to differ by a step.
 */
export function authenticator(secret: string) {
  let last = 0
  return async (): Promise<string> => {
    const now = () => Math.floor(Date.now() / periodMs)
    last = Math.max(last + 1, now() - 1)
    while (now() + 1 < last) await new Promise((resolve) => setTimeout(resolve, 500))
    return codeAt(secret, last)
  }
}
export type Authenticator = ReturnType<typeof authenticator>
