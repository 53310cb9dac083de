// A client backend: starts verifications, receives their outcome, and redirects people back.
//
//   KYC_API_KEY=kyc_test_… KYC_WEBHOOK_SECRET=whsec_… node server.mjs
import { Kyc, WebhookVerificationError, webhooks } from '@kyc/client'
import express from 'express'

const kyc = new Kyc({
  apiKey: process.env.KYC_API_KEY ?? '',
  baseUrl: process.env.KYC_BASE_URL ?? 'http://localhost:8080',
})
const secret = process.env.KYC_WEBHOOK_SECRET ?? ''
const self = process.env.SELF_URL ?? 'http://localhost:3000'

/** In a real backend these are tables of customers and of handled deliveries. */
const customers = new Map()
const handled = new Set()

const app = express()

// 1. A customer needs verification: create a session and send them to its link.
app.post('/customers/:id/verification', async (request, response) => {
  const { id } = request.params
  const session = await kyc.sessions.create({ vendor_data: id, callback_url: `${self}/done` })
  customers.set(id, { session_id: session.session_id, status: session.status, seen: new Set() })
  response.json({ url: session.url })
})

// 2. The outcome arrives as a webhook. The signature covers the raw bytes, so no JSON parser may run before.
app.post('/hook', express.raw({ type: 'application/json', limit: '1mb' }), async (request, response) => {
  let event
  try {
    event = await webhooks.verify(request.body, request.headers, secret)
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    response.status(400).end()
    return
  }
  // A delivery can be repeated with the same id, so handle each id only once.
  if (!handled.has(event.delivery_id)) {
    if (event.event === 'session.status_updated') await takeOver(event.data)
    handled.add(event.delivery_id)
  }
  response.status(204).end()
})

// After retries, events of one session can arrive out of order. Treat an event only as a sign of a change and read the
// current state from the API, so that a late event never restores an old status.
async function takeOver({ session_id, vendor_data }) {
  const customer = customers.get(vendor_data)
  if (!customer || customer.session_id !== session_id) return
  const { status } = await kyc.sessions.get(session_id)
  customer.status = status
  customer.seen.add(status)
}

// 3. The person returns. Anyone can forge the `status` in the address, so it is not used.
app.get('/done', async (request, response) => {
  const session = await kyc.sessions.get(String(request.query.session_id))
  response.json({ message: session.status === 'approved' ? 'Welcome.' : 'We are still looking at it.' })
})

app.get('/customers/:id', (request, response) => {
  const customer = customers.get(request.params.id)
  if (!customer) response.status(404).end()
  else response.json({ status: customer.status, seen: [...customer.seen] })
})

const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  console.log(`listening on ${server.address().port}`)
})
