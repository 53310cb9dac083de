/** The code of a system error (ENOSPC, ECONNREFUSED), or undefined for any other error. */
export function systemErrorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error) || !('syscall' in error)) return
  return typeof error.code === 'string' ? error.code : undefined
}
