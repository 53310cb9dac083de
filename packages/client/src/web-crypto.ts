/** Available under this name in the types of both browsers and Node. */
export type WebCrypto = typeof globalThis.crypto

/** Web Crypto on every runtime; Node 18 has it only in a module. */
export async function webCrypto(): Promise<WebCrypto> {
  if (globalThis.crypto !== undefined) return globalThis.crypto
  const { webcrypto } = await import('node:crypto')
  return webcrypto as WebCrypto
}
