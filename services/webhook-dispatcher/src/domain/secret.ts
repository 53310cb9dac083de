import { webhookSecretPrefix } from '@kyc/common'
import { newToken } from '@kyc/runtime'

/** Bound into a sealed secret: it opens as nothing else. */
export const secretContext = 'webhook.secret'

/** A new signing secret: the prefix and 43 characters, 256 random bits. */
export const newSigningSecret = (): string => webhookSecretPrefix + newToken()

/** What is shown after the one time it was shown in full: the prefix and the last four characters. */
export const maskSecret = (secret: string): string => `${webhookSecretPrefix}****${secret.slice(-4)}`
