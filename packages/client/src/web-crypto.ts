/** Under this name in browsers' types and in Node's alike. */
export type WebCrypto = typeof globalThis.crypto

/** Web Crypto everywhere: Node 18 has it in a module only. */
export async function webCrypto(): Promise<WebCrypto> {
  if (globalThis.crypto !== undefined) return globalThis.crypto
  const { webcrypto } = await import('node:crypto')
  return webcrypto as WebCrypto
}
