import { badRequest, conflict, type Environment, notFound, toTimestamp } from '@kyc/common'
import type { OutboundClient } from '@kyc/outbound'
import type { Clock } from '@kyc/runtime'
import type { Vault } from '@kyc/vault'
import { maskSecret, newSigningSecret, secretContext } from '../domain/secret.ts'
import type { Endpoint, EndpointStore } from '../store/endpoints.ts'

export type EndpointParts = {
  endpoints: EndpointStore
  vault: Pick<Vault, 'sealForApp'>
  outbound: Record<Environment, Pick<OutboundClient, 'checkUrl'>>
  clock: Clock
  /** Called when an app's receiver changes. */
  onUrlChanged(appId: string): void
}

const shown = (endpoint: Endpoint) => ({
  app_id: endpoint.app_id,
  url: endpoint.url,
  secret_masked: endpoint.secret_masked,
  updated_at: toTimestamp(endpoint.updated_at),
})

const found = (endpoint: Endpoint | null): Endpoint => {
  if (endpoint === null) throw notFound('webhook')
  return endpoint
}

async function newSecret(vault: EndpointParts['vault'], appId: string) {
  const secret = newSigningSecret()
  const sealed = await vault.sealForApp(appId, secretContext, secret)
  return { secret, stored: { sealed_secret: new Uint8Array(sealed), secret_masked: maskSecret(secret) } }
}

/** Runs the check of a delivery when the URL is saved. Returns the checked form, which is the one stored. */
async function checkedUrl(
  outbound: Pick<OutboundClient, 'checkUrl'>,
  url: string | null,
): Promise<string | null> {
  if (url === null) return null
  const check = await outbound.checkUrl(url)
  if (!check.ok) throw badRequest(`url: ${check.error.message}`)
  return check.url
}

export async function provisionWebhook(
  parts: EndpointParts,
  request: { app_id: string; environment: Environment; url: string | null },
) {
  const { environment } = request
  const url = await checkedUrl(parts.outbound[environment], request.url)
  const { secret, stored } = await newSecret(parts.vault, request.app_id)
  const endpoint = await parts.endpoints.create(request.app_id, {
    environment,
    url,
    now: parts.clock.now(),
    ...stored,
  })
  if (endpoint === null) throw conflict('The app has a webhook already.')
  return { secret, endpoint: shown(endpoint) }
}

export async function getWebhookEndpoint(parts: EndpointParts, request: { app_id: string }) {
  return shown(found(await parts.endpoints.find(request.app_id)))
}

export async function setWebhookUrl(parts: EndpointParts, request: { app_id: string; url: string | null }) {
  const { environment } = found(await parts.endpoints.find(request.app_id))
  const url = await checkedUrl(parts.outbound[environment], request.url)
  const endpoint = found(await parts.endpoints.setUrl(request.app_id, url, parts.clock.now()))
  parts.onUrlChanged(request.app_id)
  return shown(endpoint)
}

/** The old secret is no longer used to sign, because the sender reads the secret with each lease. */
export async function rotateWebhookSecret(parts: EndpointParts, request: { app_id: string }) {
  const { secret, stored } = await newSecret(parts.vault, request.app_id)
  const endpoint = found(await parts.endpoints.setSecret(request.app_id, stored, parts.clock.now()))
  return { secret, endpoint: shown(endpoint) }
}
