import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { errorEnvelope } from '@kyc/common'
import type { Upstreams } from '@kyc/service-gateway'
import { type FramingForm, framingForms, smuggled } from './support/framing-forms.ts'
import {
  type GatewayAlone,
  startGatewayAlone,
  type UpstreamName,
  upstreamNames,
} from './support/gateway-alone.ts'
import { type ClientAnswer, exchange, readAnswers } from './support/raw-client.ts'
import { type RawUpstream, startRawUpstream, type UpstreamRequest } from './support/raw-upstream.ts'

/** A tenth of the production timeout, so that bodies that never arrive are rejected within a second. */
const patience = { keepAliveMs: 5_000, headersMs: 1_000, requestMs: 1_000, checkEveryMs: 50 }

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'] as const
type Method = (typeof methods)[number]

/**
 * Paths of every prefix and service with the methods of their contracts, repeated here independently: `none` takes
 * no body. `{id}` makes each request's path unique. HEAD is GET.
 */
const paths: readonly {
  path: string
  service: UpstreamName | null
  allowed: Partial<Record<Method, 'none' | 'body'>>
}[] = [
  { path: '/v1/sessions', service: 'session', allowed: { GET: 'none', POST: 'body' } },
  { path: '/v1/sessions/{id}', service: 'session', allowed: { GET: 'none', DELETE: 'none' } },
  { path: '/v1/sessions/{id}/status', service: 'session', allowed: { PATCH: 'body' } },
  { path: '/v1/workflows', service: 'session', allowed: { GET: 'none' } },
  { path: '/v1/checks/pan', service: 'checks', allowed: { POST: 'body' } },
  { path: '/v1/checks/face-match', service: 'face-biometrics', allowed: { POST: 'body' } },
  { path: '/v1/checks/aml', service: 'sanctions-screening', allowed: { POST: 'body' } },
  { path: '/v1/webhook-deliveries/{id}', service: 'webhook-dispatcher', allowed: { GET: 'none' } },
  {
    path: '/v1/webhook-deliveries/{id}/redeliver',
    service: 'webhook-dispatcher',
    allowed: { POST: 'none' },
  },
  { path: '/flow/{id}', service: 'flow', allowed: { GET: 'none' } },
  { path: '/flow/{id}/start', service: 'flow', allowed: { POST: 'body' } },
  { path: '/flow/{id}/document', service: 'flow', allowed: { POST: 'body' } },
  { path: '/flow/{id}/submit', service: 'flow', allowed: { POST: 'none' } },
  { path: '/flow-assets/{id}.js', service: 'flow', allowed: { GET: 'none' } },
  { path: '/console', service: 'console', allowed: { GET: 'none' } },
  { path: '/console/sessions/{id}', service: 'console', allowed: { GET: 'none' } },
  { path: '/console/api/login', service: 'console', allowed: { POST: 'body' } },
  { path: '/console/api/apps/{id}/views', service: 'console', allowed: { GET: 'none', POST: 'body' } },
  { path: '/console/api/apps/{id}/views/1', service: 'console', allowed: { DELETE: 'none' } },
  { path: '/docs', service: null, allowed: { GET: 'none' } },
  { path: '/health', service: null, allowed: { GET: 'none' } },
  { path: '/nothing/{id}', service: null, allowed: {} },
]

let gateway: GatewayAlone
const upstreams = new Map<UpstreamName, RawUpstream>()

beforeAll(async () => {
  for (const name of upstreamNames) upstreams.set(name, await startRawUpstream())
  const urls = Object.fromEntries([...upstreams].map(([name, { url }]) => [name, url])) as Upstreams
  gateway = await startGatewayAlone(urls, { patience })
})
afterAll(async () => {
  await gateway?.close()
  for (const upstream of upstreams.values()) upstream.close()
})
afterEach(() => {
  for (const upstream of upstreams.values()) {
    upstream.requests.length = 0
    upstream.violations.length = 0
  }
})

const seen = (): (UpstreamRequest & { service: UpstreamName })[] =>
  [...upstreams].flatMap(([service, { requests }]) => requests.map((request) => ({ ...request, service })))
const violations = () => [...upstreams.values()].flatMap((upstream) => upstream.violations)
const valuesOf = (request: UpstreamRequest, name: string) =>
  request.headers.filter(([given]) => given === name).map(([, value]) => value)

/** Closes the connection if everything before it was parsed as complete requests. */
const probe = 'GET /health HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n'

type Case = {
  id: string
  method: Method
  path: string
  form: FramingForm
  service: UpstreamName | null
  takes: 'none' | 'body' | undefined
}

function bytesOf({ id, method, path, form }: Case): string {
  const payload = smuggled(id)
  const head = [
    `${method} ${path} HTTP/${form.version ?? '1.1'}`,
    'host: a',
    `user-agent: ${id}`,
    `x-api-key: ${gateway.key}`,
    'x-kyc-identity: forged',
    'content-type: application/json',
    ...form.lines(payload),
  ]
  return `${head.join('\r\n')}\r\n\r\n${form.bytes(payload)}${form.breaksOff ? '' : probe}`
}

/** Errors in the handling of one request; empty if there are none. */
function faultsOf(given: Case, text: string, closed: boolean, arrived: UpstreamRequest[]): string[] {
  const { method, form, service, takes } = given
  const faults: string[] = []
  const expected =
    form.kind === 'refused'
      ? 400
      : takes === undefined
        ? 404
        : form.kind === 'broken' || (form.kind === 'body' && takes === 'none')
          ? 400
          : 200
  const forwarded = expected === 200 && service !== null ? 1 : 0
  if (!closed) faults.push('the connection stayed open')
  if (!text.startsWith(`HTTP/1.1 ${expected} `)) faults.push(`expected ${expected}: ${text.slice(0, 250)}`)
  if (arrived.length !== forwarded) faults.push(`${arrived.length} requests upstream, expected ${forwarded}`)
  for (const request of arrived) {
    const body = form.kind === 'body' ? smuggled(given.id) : ''
    if (request.body.toString('latin1') !== body) faults.push('another body upstream')
    if (request.target !== given.path) faults.push(`another path upstream: ${request.target}`)
    if (request.method !== (method === 'HEAD' ? 'GET' : method)) faults.push(`upstream ${request.method}`)
    const identities = valuesOf(request, 'x-kyc-identity')
    if (identities.length !== 1 || identities[0] === 'forged') faults.push(`identity ${identities.join()}`)
    if (valuesOf(request, 'x-api-key').length > 0) faults.push('the key went upstream')
  }
  if (method === 'HEAD' || faults.length > 0) return faults
  let answers: ClientAnswer[]
  try {
    answers = readAnswers(text, [method])
  } catch (error) {
    return [String(error)]
  }
  // An invalid framing closes the connection, so requests after it were not processed.
  const ended = form.ends || (form.kind !== 'empty' && expected !== 200)
  const behind = form.name === 'no framing, a request behind' ? 1 : 0
  const count = ended ? 1 : 2 + behind
  if (answers.length !== count) faults.push(`${answers.length} answers, expected ${count}`)
  if (ended && answers[0]?.headers.connection !== 'close') faults.push('no connection: close')
  if (expected >= 400 && !errorEnvelope.strict().safeParse(JSON.parse(answers[0]?.body ?? '')).success)
    faults.push(`no envelope: ${answers[0]?.body}`)
  if (behind && answers[1]?.status !== 401) faults.push('the request behind was not judged by itself')
  return faults
}

let counted = 0

async function runCases(cases: readonly Case[]): Promise<string[]> {
  const faults: string[] = []
  const queue = [...cases]
  const outcomes: (Case & { text: string; closed: boolean })[] = []
  await Promise.all(
    Array.from({ length: 48 }, async () => {
      for (let item = queue.pop(); item; item = queue.pop()) {
        outcomes.push({ ...item, ...(await exchange(gateway.port, bytesOf(item))) })
      }
    }),
  )
  const arrived = seen()
  for (const outcome of outcomes) {
    const own = arrived.filter(
      (request) => valuesOf(request, 'user-agent')[0] === outcome.id && request.service === outcome.service,
    )
    const elsewhere = arrived.filter(
      (request) => valuesOf(request, 'user-agent')[0] === outcome.id && request.service !== outcome.service,
    )
    if (elsewhere.length > 0) faults.push(`${outcome.id}: reached another service`)
    for (const fault of faultsOf(outcome, outcome.text, outcome.closed, own)) {
      faults.push(`${outcome.method} ${outcome.path}, ${outcome.form.name}: ${fault}`)
    }
    counted++
  }
  for (const request of arrived) {
    if (valuesOf(request, 'user-agent')[0]?.startsWith('smuggled')) faults.push('a smuggled request arrived')
  }
  faults.push(...violations())
  return faults
}

describe(`${framingForms.length} framing forms, ${methods.length} methods, ${paths.length} paths, ${upstreamNames.length} services`, () => {
  test('cover every method, every service and at least 60 distinct forms', () => {
    expect(new Set(framingForms.map(({ name }) => name)).size).toBe(framingForms.length)
    expect(framingForms.length).toBeGreaterThanOrEqual(60)
    expect(new Set(paths.map(({ service }) => service))).toEqual(new Set([...upstreamNames, null]))
    for (const method of ['GET', 'POST', 'PATCH', 'DELETE'] as const) {
      expect(paths.some(({ allowed }) => allowed[method])).toBe(true)
    }
  })

  test.each(paths)(
    '$path: one request in is exactly one request out, or none',
    async (row) => {
      const cases = methods.flatMap((method) =>
        framingForms.map((form, index): Case => {
          const id = `case-${method}-${index}`
          const takes = row.allowed[method === 'HEAD' ? 'GET' : method]
          return { id, method, form, service: row.service, takes, path: row.path.replace('{id}', id) }
        }),
      )
      expect((await runCases(cases)).slice(0, 10)).toEqual([])
    },
    120_000,
  )

  test('were all sent', () => {
    expect(counted).toBe(framingForms.length * methods.length * paths.length)
    process.stdout.write(
      `request smuggling: ${framingForms.length} forms x ${methods.length} methods x ${paths.length} paths of ${upstreamNames.length} services and the gateway: ${counted} connections\n`,
    )
  })
})

describe('the known exploits', () => {
  const victim = (target: string, body: string) =>
    `POST ${target} HTTP/1.1\r\nhost: a\r\nuser-agent: victim\r\nx-api-key: ${gateway.key}\r\ncookie: kyc_console=victim\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`

  test.each([
    ['connection names content-length on GET', 'GET', '/flow-assets/x.js', 'flow', 0],
    ['connection names content-length on GET of a console page', 'GET', '/console/x', 'console', 0],
    ['connection names transfer-encoding on DELETE', 'DELETE', '/v1/sessions/ses_1', 'session', 1],
    ['a chunked body on DELETE', 'DELETE', '/v1/sessions/ses_1', 'session', 2],
    ['a chunked body on OPTIONS of a page', 'OPTIONS', '/console/x', 'console', 2],
  ] as const)(
    '%s smuggles no request, and the next caller gets its own response',
    async (_, method, path, service, index) => {
      const form = framingForms[index] as FramingForm
      const given: Case = { id: 'attack', method, path, form, service, takes: undefined }
      const attack = await exchange(gateway.port, bytesOf(given))
      const [target, body] =
        service === 'console'
          ? ['/console/api/login', '{"email":"a","password":"b"}']
          : ['/v1/sessions', '{}']
      const answer = await exchange(gateway.port, victim(target, body))
      const hidden = seen().filter(({ target: path }) => path === '/v1/sessions/smuggled')
      expect({ hidden, violations: violations() }).toEqual({ hidden: [], violations: [] })
      expect(attack.text).toMatch(/^HTTP\/1\.1 40[04] /)
      expect(readAnswers(answer.text, ['POST']).map(({ status }) => status)).toEqual([200])
      const victims = seen().filter((request) => valuesOf(request, 'user-agent')[0] === 'victim')
      expect(victims.map((request) => [request.method, request.target, request.body.toString()])).toEqual([
        ['POST', target, body],
      ])
    },
  )
})

describe('a connection', () => {
  const get = (path: string, id: string) =>
    `GET ${path} HTTP/1.1\r\nhost: a\r\nuser-agent: ${id}\r\nx-api-key: ${gateway.key}\r\n\r\n`

  test('carries many requests, one after the other and pipelined, each answered in turn', async () => {
    const ids = Array.from({ length: 50 }, (_, index) => `pipelined-${index}`)
    const body = '{"vendor_data":"x"}'
    const post = `POST /v1/sessions HTTP/1.1\r\nhost: a\r\nuser-agent: posted\r\nx-api-key: ${gateway.key}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
    const text = [...ids.map((id) => get(`/v1/sessions/${id}`, id)), post, probe].join('')
    // Split at arbitrary positions.
    const pieces = text.match(/[\s\S]{1,700}/g) ?? []
    const { text: answered } = await exchange(gateway.port, pieces)
    const answers = readAnswers(answered, [])
    expect(answers.map(({ status }) => status)).toEqual(Array(52).fill(200))
    expect(seen().filter(({ target }) => target.startsWith('/v1/sessions/pipelined-'))).toHaveLength(50)
    expect(
      seen()
        .find(({ method }) => method === 'POST')
        ?.body.toString(),
    ).toBe(body)
  })

  test('ends with a rejected body: the request after it is not processed', async () => {
    const refused = `DELETE /v1/sessions/x HTTP/1.1\r\nhost: a\r\nx-api-key: ${gateway.key}\r\ncontent-length: 4\r\n\r\nbody`
    const { text } = await exchange(gateway.port, [refused, get('/v1/sessions/behind', 'behind')])
    expect(readAnswers(text, []).map(({ status, headers }) => [status, headers.connection])).toEqual([
      [400, 'close'],
    ])
    expect(seen()).toEqual([])
  })

  test('that ends in invalid data first answers the requests before it', async () => {
    const { text } = await exchange(gateway.port, `${get('/v1/sessions/first', 'first')}NONSENSE\r\n\r\n`)
    expect(readAnswers(text, []).map(({ status }) => status)).toEqual([200, 400])
  })
})

describe('an endpoint without a body', () => {
  const sent = (method: string, path: string, body: string) =>
    `${method} ${path} HTTP/1.1\r\nhost: a\r\nx-api-key: ${gateway.key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}${probe}`

  test.each([
    ['POST', '/flow/a/submit', '{}', [200, 200]],
    ['POST', '/flow/a/submit', ' {\n} ', [200, 200]],
    ['POST', '/flow/a/submit', '{"a":1}', [400]],
    ['POST', '/flow/a/submit', '[]', [400]],
    ['POST', '/flow/a/submit', `{}${' '.repeat(100)}`, [400]],
    ['DELETE', '/v1/sessions/ses_1', '{}', [400]],
    ['GET', '/v1/sessions', '{}', [400]],
  ])(
    '%s %s with %j is answered %j: an empty object counts as no body if the method has one',
    async (method, path, body, statuses) => {
      const { text } = await exchange(gateway.port, sent(method, path, body))
      expect(readAnswers(text, []).map(({ status }) => status)).toEqual(statuses)
      expect(seen().map((request) => request.body.length)).toEqual(statuses.length === 2 ? [0] : [])
    },
  )
})

describe('a path', () => {
  const bytes = (target: string, method = 'GET') =>
    `${method} ${target} HTTP/1.1\r\nhost: a\r\nuser-agent: path\r\nx-api-key: ${gateway.key}\r\nconnection: close\r\n\r\n`
  const statusOf = async (target: string, method?: string) => {
    const { text } = await exchange(gateway.port, bytes(target, method))
    return Number(text.slice(9, 12))
  }

  test.each([
    '/v1/sessions/ID\\decision',
    '/v1/sessions/ID%5cdecision',
    '/v1/sessions/ID%2fdecision',
    '/v1/sessions/ID%2Fdecision',
    '/v1/sessions/../workflows',
    '/v1/sessions/%2e%2e/workflows',
    '/v1/sessions/.%2e/workflows',
    '/v1/sessions/./x',
    '/v1/sessions/..',
    '/v1//sessions',
    '//v1/sessions',
    '/v1/sessions/a%00b',
    '/v1/sessions/a%0d%0ab',
    '/v1/sessions/%zz',
    '/v1/sessions/%4',
    '/v1/sessions/x#y',
    '/v1/sessions?a#b',
    'http://a/v1/sessions',
    '*',
    'v1/sessions',
    '/v1/sessions/\xe9',
    '/v1/sessions?a=\xe9',
    '/v1/sessions/a|b',
    '/console/api/..%2f..%2fv1',
    '/console/..',
    '/docs/..%5c',
  ])('%s is rejected because it is ambiguous', async (target) => {
    expect(await statusOf(target)).toBe(400)
    expect(seen()).toEqual([])
  })

  test.each([
    ['bytes that are no UTF-8', '/v1/sessions/%ff'],
    ['an overlong encoding', '/v1/sessions/%c0%af'],
    ['other letter case', '/v1/Sessions'],
    ['a letter of another case in a prefix', '/Console'],
    ['another case of the API', '/console/API/me'],
    ['a trailing slash of the API', '/console/api/me/'],
    ['a trailing slash', '/v1/sessions/'],
    ['the API behind an encoded letter', '/console/%61pi/nothing'],
    ['a literal in another case where a parameter may stand', '/v1/webhook-deliveries/x/EVENT'],
  ])('%s matches no route', async (_, target) => {
    expect(await statusOf(target)).toBe(404)
    expect(seen()).toEqual([])
  })

  test.each([
    ['/v1/sessions/a%41b', '/v1/sessions/aAb'],
    ['/v1/sessions/%c3%a9', '/v1/sessions/%C3%A9'],
    ['/v1/%73essions/x', '/v1/sessions/x'],
    ['/v1/sessions/a%20b?q=%2F..%2f&x=a|b', '/v1/sessions/a%20b?q=%2F..%2f&x=a|b'],
    ['/v1/sessions?page=1&page=2', '/v1/sessions?page=1&page=2'],
  ])('%s is forwarded as %s, exactly as routed', async (target, forwarded) => {
    expect(await statusOf(target)).toBe(200)
    expect(seen().map((request) => request.target)).toEqual([forwarded])
  })

  test.each([
    ['no host', 'GET /health HTTP/1.1\r\n\r\n'],
    ['two hosts', 'GET /health HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n'],
    ['an expectation that nobody knows', 'GET /health HTTP/1.1\r\nhost: a\r\nexpect: more\r\n\r\n'],
    ['CONNECT', 'CONNECT a:443 HTTP/1.1\r\nhost: a\r\n\r\n'],
    [
      'headers that are too large',
      `GET /health HTTP/1.1\r\nhost: a\r\nx-note: ${'x'.repeat(20_000)}\r\n\r\n`,
    ],
    ['a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['HTTP/2 with prior knowledge', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['headers that never end', 'GET /health HTTP/1.1\r\nhost: a\r\n'],
  ])('%s gets the error envelope, and the connection is closed', async (_, text) => {
    const { text: answered, closed } = await exchange(gateway.port, text)
    expect(closed).toBe(true)
    const [answer, ...more] = readAnswers(answered, [])
    expect(more).toEqual([])
    expect([answer?.status, answer?.headers.connection]).toEqual([400, 'close'])
    expect(errorEnvelope.strict().parse(JSON.parse(answer?.body ?? '')).error.code).toBe('bad_request')
    expect(answer?.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })
})
