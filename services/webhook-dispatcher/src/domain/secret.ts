import { webhookSecretPrefix } from '@kyc/common'
import { newToken } from '@kyc/runtime'

/** The context of a sealed secret, so that it cannot be opened as anything else. */
export const secretContext = 'webhook.secret'

/** A new signing secret: the prefix and 43 characters, 256 random bits. */
export const newSigningSecret = (): string => webhookSecretPrefix + newToken()

/** The form shown after the secret was shown once in full: the prefix and the last four characters. */
export const maskSecret = (secret: string): string => `${webhookSecretPrefix}****${secret.slice(-4)}`
