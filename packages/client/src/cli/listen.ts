import { signEvent } from '../testing.ts'
import { type Context, required, text, UsageError } from './context.ts'

const pollMs = 1_000
/** How many seen delivery ids are remembered, so that none is shown twice. */
const remembered = 5_000

/**
 * `kyc listen --forward-to URL`: sends every event from now on to a local server, signed with your secret as the
 * service signs it. The app needs no webhook URL for this, and its own receiver still gets all events.
 */
export async function listen(context: Context): Promise<void> {
  const { kyc, output, signal } = context
  const target = text(context, 'forward-to')
  const secret = text(context, 'secret') ?? context.environment.KYC_WEBHOOK_SECRET
  if (target !== undefined && !URL.canParse(target)) throw new UsageError('--forward-to must be a URL')
  if (target !== undefined) required(secret, 'the signing secret (--secret or KYC_WEBHOOK_SECRET)')
  const seen = new Set<string>()
  const newest = await kyc.webhookDeliveries.list({ page_size: 100 }, { signal })
  for (const { delivery_id } of newest.data) seen.add(delivery_id)
  output.note(target ? `Ready: events go to ${target}. Ctrl-C ends it.` : 'Ready. Ctrl-C ends it.')
  while (!signal.aborted) {
    for (const deliveryId of await unseen(context, seen)) {
      await tell(context, deliveryId, target, secret ?? '')
    }
    await pause(signal)
  }
}

/** New deliveries since the last call, oldest first, over as many pages as needed. */
async function unseen({ kyc, signal }: Context, seen: Set<string>): Promise<string[]> {
  const found: string[] = []
  for await (const { delivery_id } of kyc.webhookDeliveries.list({ page_size: 100 }, { signal })) {
    if (seen.has(delivery_id) || found.length >= remembered) break
    found.unshift(delivery_id)
  }
  for (const id of found) seen.add(id)
  for (const id of seen) {
    if (seen.size <= remembered) break
    seen.delete(id)
  }
  return found
}

async function tell(
  { kyc, output, signal }: Context,
  deliveryId: string,
  target: string | undefined,
  secret: string,
): Promise<void> {
  const event = await kyc.webhookDeliveries.event(deliveryId, { signal })
  const about = event.event === 'ping' ? 'ping' : `${event.data.session_id} ${event.data.status}`
  if (target === undefined) {
    output.print(output.json ? JSON.stringify(event) : `${event.created_at}  ${event.event}  ${about}`)
    return
  }
  const { body, headers } = await signEvent(event, secret)
  const answer = await fetch(target, { method: 'POST', headers, body, signal, redirect: 'manual' }).then(
    ({ status }) => String(status),
    () => 'no answer',
  )
  if (signal.aborted) return
  output.print(
    output.json
      ? JSON.stringify({ delivery_id: deliveryId, event, answer })
      : `${event.created_at}  ${event.event}  ${about}  -> ${answer}`,
  )
}

const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, pollMs)
    signal.addEventListener('abort', end, { once: true })
  })
