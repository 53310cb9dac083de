/** Why a passkey prompt failed, in words for the person at it. */
export class PasskeyError extends Error {
  override readonly name = 'PasskeyError'
}
