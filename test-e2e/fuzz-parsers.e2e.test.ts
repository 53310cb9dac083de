import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { CreatedSession } from '@kyc/common'
import { sharedDir } from '@kyc/testing'
import fc, { type Arbitrary } from 'fast-check'
import { type Api, apiClient } from './support/api.ts'
import { blankPage } from './support/blank-page.ts'
import { person } from './support/journey.ts'
import { multipartOf } from './support/multipart.ts'
import { mutated } from './support/mutate.ts'
import { type RawAnswer, rawAgent, sendRaw } from './support/raw-request.ts'
import { exampleHolder, specimenPassport, td3Lines } from './support/specimen.ts'
import { startTestSystem, type TestSystem } from './support/system.ts'
import { until } from './support/until.ts'

const runs = Number(process.env.KYC_FUZZ_FILES ?? 30)
const seed = Number(process.env.KYC_FUZZ_SEED ?? 20_260_301)
const agent = rawAgent()

let system: TestSystem
let api: Api
beforeAll(async () => {
  system = await startTestSystem({ SANCTIONS_DIR: '' })
  api = apiClient(system.url, system.app.api_key)
})
afterAll(async () => {
  agent.destroy()
  await system.close()
})

const upload = (path: string, names: readonly string[], file: Buffer) => {
  const { headers, body } = multipartOf(
    {},
    names.map((name) => [name, file] as const),
    false,
  )
  const request = { method: 'POST', path, headers: { ...headers, 'x-api-key': system.app.api_key }, body }
  return sendRaw(system.url, agent, request)
}

const json = (path: string, value: unknown) =>
  sendRaw(system.url, agent, {
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', 'x-api-key': system.app.api_key },
    body: Buffer.from(JSON.stringify(value)),
  })

/** A full queue rejects with a retry time, which is a valid response. Any other status of 500 and above is a fault. */
const isFault = ({ status, headers }: RawAnswer) =>
  status >= 500 && !(status === 503 && headers['retry-after'])

async function tryAll<T>(
  values: readonly T[],
  ask: (value: T) => Promise<RawAnswer>,
): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {}
  const faults: string[] = []
  const queue = [...values]
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (let value = queue.pop(); value !== undefined; value = queue.pop()) {
        const answer = await ask(value)
        statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
        if (isFault(answer)) faults.push(`${answer.status} ${answer.body} <- ${String(value).slice(0, 300)}`)
      }
    }),
  )
  expect(faults).toEqual([])
  expect((await api.get('/health')).status).toBe(200)
  return statuses
}

/** A text with characters changed, doubled, dropped or cut off. */
const mutatedText = (text: string, alphabet: string): Arbitrary<string> =>
  fc
    .array(fc.tuple(fc.nat(text.length - 1), fc.nat(3), fc.constantFrom(...alphabet)), {
      minLength: 1,
      maxLength: 6,
    })
    .map((changes) =>
      changes.reduce((now, [at, how, character]) => {
        if (how === 0) return now.slice(0, at)
        const tail = now.slice(at + (how === 2 ? 0 : 1))
        return now.slice(0, at) + (how === 3 ? '' : character) + tail
      }, text),
    )

describe('real files, changed in a few places', () => {
  test('as documents and faces get a response, never a 5xx', async () => {
    const page = await specimenPassport(exampleHolder)
    const files = fc.sample(mutated(page), { numRuns: runs, seed })
    const statuses = await tryAll(files, (file) =>
      upload('/v1/checks/face-match', ['image_a', 'image_b'], file),
    )
    expect(Object.keys(statuses).every((status) => ['200', '400', '422', '503'].includes(status))).toBe(true)
    await tryAll(files.slice(0, Math.ceil(runs / 6)), (file) =>
      upload('/v1/checks/document', ['image'], file),
    )
  })

  test('as machine-readable zones get a response', async () => {
    const lines = td3Lines(exampleHolder).join('\n')
    const texts = fc.sample(mutatedText(lines, 'ABO0182<>«\u0660 \u0130ß\n'), { numRuns: runs * 4, seed })
    const statuses = await tryAll(texts, (text) =>
      json('/v1/checks/mrz', { lines: text.split('\n').slice(0, 20) }),
    )
    expect(statuses['200'] ?? 0).toBeGreaterThan(0)
  })

  const vectors = sharedDir('data', 'aadhaar')
  const withVectors = vectors ? test : test.skip
  withVectors('as Secure QR numbers get an answer (skipped where no vectors are)', async () => {
    const codes = readFileSync(join(vectors ?? '', 'vectors.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { qr_text: string }).qr_text)
    const texts = codes.flatMap((code, index) =>
      fc.sample(mutatedText(code, '0123456789'), {
        numRuns: Math.ceil(runs / codes.length) * 4,
        seed: seed + index,
      }),
    )
    const statuses = await tryAll(texts, (text) => json('/v1/checks/aadhaar/secure-qr', { qr_text: text }))
    expect(Object.keys(statuses).every((status) => ['200', '400', '422'].includes(status))).toBe(true)
  })
})

const hostile = sharedDir('data', 'hostile', 'images')
const withImages = hostile ? describe : describe.skip

withImages('hostile pictures (skipped where the set is absent)', () => {
  type Entry = { file: string; expect: 'ok' | 'refuse'; may_be?: string }
  const entries: Entry[] = hostile ? JSON.parse(readFileSync(join(hostile, 'manifest.json'), 'utf8')) : []
  const read = ({ file }: Entry) => readFileSync(join(hostile ?? '', file))

  test('64 at once are rejected or read in bounded memory, off the event loop, while others are served', async () => {
    const batch = Array.from({ length: 64 }, (_, index) => entries[index % entries.length] as Entry)
    // Read beforehand, because the client shares this process and its work is not to be measured.
    const files = new Map(entries.map((entry) => [entry.file, read(entry)]))
    // The models load once, with the first image.
    await upload('/v1/checks/face-match', ['image_a', 'image_b'], await blankPage())
    const before = process.memoryUsage().rss
    const delays = monitorEventLoopDelay({ resolution: 10 })
    delays.enable()
    let peak = before
    let slowest = 0
    let running = true
    const others = (async () => {
      while (running) {
        const started = performance.now()
        expect((await api.get('/v1/workflows')).status).toBe(200)
        slowest = Math.max(slowest, performance.now() - started)
        peak = Math.max(peak, process.memoryUsage().rss)
        await new Promise((resume) => setTimeout(resume, 20))
      }
    })()
    const answers = await Promise.all(
      batch.map(async (entry) => ({
        entry,
        answer: await upload(
          '/v1/checks/face-match',
          ['image_a', 'image_b'],
          files.get(entry.file) as Buffer,
        ),
      })),
    )
    running = false
    await others
    delays.disable()
    // In milliseconds; the minimum of the histogram is its resolution.
    const held = (share: number) => delays.percentile(share) / 1e6
    for (const { entry, answer } of answers) {
      expect({ file: entry.file, fault: isFault(answer) && answer.body }).toEqual({
        file: entry.file,
        fault: false,
      })
      if (entry.expect === 'refuse' && entry.may_be === undefined) expect(answer.status).not.toBe(200)
    }
    process.stdout.write(
      `64 hostile pictures: ${Math.round((peak - before) / 1e6)} MB more at the peak, other requests at most ${Math.round(slowest)} ms, event loop held up ${held(50).toFixed(0)} ms (median), ${held(99).toFixed(0)} ms (p99), ${(delays.max / 1e6).toFixed(0)} ms at most\n`,
    )
    expect(peak - before).toBeLessThan(700e6)
    // Much lower on a dedicated machine (p99 under 100 ms); here other suites share its cores. Images decoded on the
    // event loop would block it every time, so the median reveals that.
    expect(held(50)).toBeLessThan(100)
    expect(slowest).toBeLessThan(10_000)
  })
})

describe('an upload whose connection is lost', () => {
  test('stores nothing, costs no attempt, and the next one works', async () => {
    const created = await api.post<CreatedSession>('/v1/sessions', {})
    const someone = person(system.url, created.body)
    await someone.consent()
    const photo = await blankPage()
    const { headers, body } = multipartOf(
      { side: 'front', document_type: 'passport', capture_method: 'camera' },
      [['image', photo]],
      false,
    )
    const attempts = async () =>
      (await someone.state()).steps.find((step) => step.key === 'document')?.attempts_used
    const { hostname, port } = new URL(system.url)
    const head = [
      `POST /flow/${created.body.session_token}/document HTTP/1.1`,
      `host: ${hostname}`,
      `content-type: ${headers['content-type']}`,
      `content-length: ${body.length}`,
      '',
      '',
    ].join('\r\n')
    for (const share of [0, 0.3, 0.99]) {
      for (const end of ['reset', 'half-close'] as const) {
        const socket = connect(Number(port), hostname)
        socket.on('error', () => undefined)
        socket.resume()
        await new Promise((resume) => socket.once('connect', resume))
        const closed = new Promise((resume) => socket.once('close', resume))
        await new Promise((resume) =>
          socket.write(Buffer.concat([Buffer.from(head), body.subarray(0, body.length * share)]), resume),
        )
        if (end === 'reset') socket.resetAndDestroy()
        else socket.end()
        await closed
      }
    }
    expect(await attempts()).toBe(0)
    const upload = await until(
      () => someone.document(photo),
      (answer) => answer.status === 200,
    )
    expect(upload.status).toBe(200)
    expect(await attempts()).toBe(1)
  })
})
