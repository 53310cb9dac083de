/** Why a passkey prompt failed, in words for the user. */
export class PasskeyError extends Error {
  override readonly name = 'PasskeyError'
}
