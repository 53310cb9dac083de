import type { Operations } from './generated/types.ts'
import { type Paged, paged } from './pages.ts'
import { type ClientOptions, type RequestOptions, Transport } from './transport.ts'

type Body<Op extends keyof Operations> = Operations[Op]['body']
type Query<Op extends keyof Operations> = NonNullable<Operations[Op]['query']>
type Answer<Op extends keyof Operations> = Operations[Op]['answer']
type Item<Op extends keyof Operations> = Answer<Op> extends { data: Array<infer T> } ? T : never

/**
 * The service's API, fully typed. Errors are thrown as {@link ApiError} with a `code`; requests that are safe to repeat
 * are retried automatically.
 *
 *     const kyc = new Kyc({ apiKey: process.env.KYC_API_KEY, baseUrl: 'https://kyc.example.com' })
 *     const { url } = await kyc.sessions.create({ vendor_data: 'customer-17' })
 */
export class Kyc {
  readonly #transport: Transport

  constructor(options: ClientOptions) {
    this.#transport = new Transport(options)
  }

  readonly sessions = {
    /** Creates a session; send the person to its `url`. A retry never creates a second one. */
    create: (body: Body<'createSession'> = {}, options?: RequestOptions): Promise<Answer<'createSession'>> =>
      this.#transport.json('createSession', { body }, options),
    get: (session_id: string, options?: RequestOptions): Promise<Answer<'getSession'>> =>
      this.#transport.json('getSession', { params: { session_id } }, options),
    /** Newest first. */
    list: (query: Query<'listSessions'> = {}, options?: RequestOptions): Paged<Item<'listSessions'>> =>
      paged(query.page ?? 1, (page) =>
        this.#transport.json('listSessions', { query: { ...query, page } }, options),
      ),
    /** The outcome with its checks and the identity, available in any status. */
    decision: (session_id: string, options?: RequestOptions): Promise<Answer<'getDecision'>> =>
      this.#transport.json('getDecision', { params: { session_id } }, options),
    /** Decides a session that is `in_review`. */
    decide: (
      session_id: string,
      body: Body<'decideSession'>,
      options?: RequestOptions,
    ): Promise<Answer<'decideSession'>> =>
      this.#transport.json('decideSession', { params: { session_id }, body }, options),
    /** Deletes all personal data; a record without it remains. */
    purge: async (session_id: string, options?: RequestOptions): Promise<void> => {
      await this.#transport.json('purgeSession', { params: { session_id } }, options)
    },
    /** The signed receipt of the latest decision. */
    receipt: (session_id: string, options?: RequestOptions): Promise<Answer<'getReceipt'>> =>
      this.#transport.json('getReceipt', { params: { session_id } }, options),
    /** The signed proof of a purge. */
    purgeCertificate: (
      session_id: string,
      options?: RequestOptions,
    ): Promise<Answer<'getPurgeCertificate'>> =>
      this.#transport.json('getPurgeCertificate', { params: { session_id } }, options),
  }

  /** The public keys that receipts and certificates are signed with. */
  readonly signingKeys = {
    list: (options?: RequestOptions): Promise<Answer<'listSigningKeys'>> =>
      this.#transport.json('listSigningKeys', {}, options),
  }

  readonly workflows = {
    /** The default first. */
    list: (query: Query<'listWorkflows'> = {}, options?: RequestOptions): Paged<Item<'listWorkflows'>> =>
      paged(query.page ?? 1, (page) =>
        this.#transport.json('listWorkflows', { query: { ...query, page } }, options),
      ),
  }

  /** Standalone checks: they create no session and store nothing. */
  readonly checks = {
    aml: (body: Body<'screenName'>, options?: RequestOptions): Promise<Answer<'screenName'>> =>
      this.#transport.json('screenName', { body }, options),
    /** Up to 1,000 names; results arrive in order, each as soon as it is available. */
    amlBatch: (
      names: Body<'screenNames'>['names'],
      options?: RequestOptions,
    ): AsyncIterable<Answer<'screenNames'>> => this.#lines(names, options),
    pan: (body: Body<'validatePan'>, options?: RequestOptions): Promise<Answer<'validatePan'>> =>
      this.#transport.json('validatePan', { body }, options),
    mrz: (body: Body<'parseMrz'>, options?: RequestOptions): Promise<Answer<'parseMrz'>> =>
      this.#transport.json('parseMrz', { body }, options),
    faceMatch: (body: Body<'matchFaces'>, options?: RequestOptions): Promise<Answer<'matchFaces'>> =>
      this.#transport.json('matchFaces', { body }, options),
    document: (body: Body<'readDocument'>, options?: RequestOptions): Promise<Answer<'readDocument'>> =>
      this.#transport.json('readDocument', { body }, options),
    secureQr: (body: Body<'verifySecureQr'>, options?: RequestOptions): Promise<Answer<'verifySecureQr'>> =>
      this.#transport.json('verifySecureQr', { body }, options),
  }

  readonly webhookDeliveries = {
    /** Newest first. */
    list: (
      query: Query<'listWebhookDeliveries'> = {},
      options?: RequestOptions,
    ): Paged<Item<'listWebhookDeliveries'>> =>
      paged(query.page ?? 1, (page) =>
        this.#transport.json('listWebhookDeliveries', { query: { ...query, page } }, options),
      ),
    get: (delivery_id: string, options?: RequestOptions): Promise<Answer<'getWebhookDelivery'>> =>
      this.#transport.json('getWebhookDelivery', { params: { delivery_id } }, options),
    /** The event that the delivery contains. */
    event: (delivery_id: string, options?: RequestOptions): Promise<Answer<'getWebhookEvent'>> =>
      this.#transport.json('getWebhookEvent', { params: { delivery_id } }, options),
    redeliver: (delivery_id: string, options?: RequestOptions): Promise<Answer<'redeliverWebhook'>> =>
      this.#transport.json('redeliverWebhook', { params: { delivery_id } }, options),
  }

  /** With a test key only. */
  readonly test = {
    scenarios: (options?: RequestOptions): Promise<Answer<'listTestScenarios'>> =>
      this.#transport.json('listTestScenarios', {}, options),
    /** Advances a session towards a status, as the person, the passing of time or a reviewer would. */
    advance: (
      session_id: string,
      to: Body<'advanceTestSession'>['to'],
      options?: RequestOptions,
    ): Promise<Answer<'advanceTestSession'>> =>
      this.#transport.json('advanceTestSession', { params: { session_id }, body: { to } }, options),
  }

  health(options?: RequestOptions): Promise<Answer<'getHealth'>> {
    return this.#transport.json('getHealth', {}, options)
  }

  async *#lines(
    names: Body<'screenNames'>['names'],
    options?: RequestOptions,
  ): AsyncGenerator<Answer<'screenNames'>> {
    const response = await this.#transport.send('screenNames', { body: { names } }, options)
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    const decoder = new TextDecoder()
    let rest = ''
    try {
      for (;;) {
        const { done, value } = await reader.read()
        rest += done ? decoder.decode() : decoder.decode(value, { stream: true })
        const lines = rest.split('\n')
        rest = done ? '' : (lines.pop() ?? '')
        for (const line of lines) if (line.trim() !== '') yield JSON.parse(line) as Answer<'screenNames'>
        if (done) return
      }
    } finally {
      await reader.cancel()
    }
  }
}
