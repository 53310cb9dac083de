import type { Page } from 'playwright-core'

export type VirtualAuthenticator = {
  /** Whether a person touches the authenticator when prompted. */
  setPresent(present: boolean): Promise<void>
  credentials(): Promise<{ credentialId: string; signCount: number }[]>
}

/** Chromium's virtual authenticators for the page they are created in; each responds when it is touched. */
export async function virtualAuthenticators(page: Page) {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  return {
    async add(transport: 'internal' | 'usb'): Promise<VirtualAuthenticator> {
      const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          transport,
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
        },
      })
      return {
        setPresent: async (enabled) => {
          await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
        },
        credentials: async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
      }
    },
  }
}
