/** Web Crypto everywhere: Node 18 has it in a module only. */
export async function webCrypto(): Promise<Crypto> {
  if (globalThis.crypto !== undefined) return globalThis.crypto
  const { webcrypto } = await import('node:crypto')
  return webcrypto as Crypto
}
