import { X509Certificate } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, parse } from 'node:path'
import { gzipSync } from 'node:zlib'
import { sharedDir } from '@kyc/testing'
import {
  decodeSecureQr,
  SecureQrError,
  type SecureQrKey,
  verifySecureQr,
} from '../../services/checks/src/domain/aadhaar/index.ts'
import { readRows } from './support/mrz-sets.ts'

export const name = 'secure-qr'

interface QrRow {
  id: string
  qr_text: string
  expect?: Record<string, unknown>
  expect_status?: number
}

const milliseconds = (work: () => unknown): number => {
  const start = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1_000
}

function best(work: () => unknown, rounds: number): number {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round++) least = Math.min(least, milliseconds(work))
  return least
}

const median = (values: number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!

function keysOf(folder: string): SecureQrKey[] {
  return readdirSync(folder).map((file) => ({
    name: parse(file).name,
    key: new X509Certificate(readFileSync(join(folder, file))).publicKey,
  }))
}

function outcome(text: string): 'decoded' | string {
  try {
    decodeSecureQr(text)
    return 'decoded'
  } catch (error) {
    if (error instanceof SecureQrError) return error.stage
    throw error
  }
}

const toDecimal = (bytes: Buffer): string => BigInt(`0x${bytes.toString('hex')}`).toString()

/** The open cases, the time to decode and verify, and hostile texts. */
export async function run(): Promise<string> {
  const folder = sharedDir('data', 'aadhaar')
  if (folder === null)
    return '## Aadhaar Secure QR\n\nSkipped: the cases are not beside the repository (KYC_SHARED_DIR).'
  const rows = ['synthetic.jsonl', 'vectors.jsonl'].flatMap((file) => readRows<QrRow>(join(folder, file)))
  const keys = [...keysOf(join(folder, 'certs')), ...keysOf(join(folder, 'uidai_certs'))]
  const wrong = rows.filter((row) => !isAsExpected(row, keys)).map(({ id }) => id)

  const good = rows.filter((row) => row.expect !== undefined).map((row) => row.qr_text)
  const check = (text: string) => () => verifySecureQr(decodeSecureQr(text), keys)
  for (let round = 0; round < 40; round++) for (const text of good) check(text)()
  const times = good.map((text) => best(check(text), 15))

  const real = rows.find(({ id }) => id === 'uidai_v1_sumit')!.qr_text
  const hex = BigInt(real).toString(16)
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
  const truncated = Array.from({ length: bytes.length - 1 }, (_, index) =>
    toDecimal(bytes.subarray(0, index + 1)),
  )
  const accepted = truncated.filter((text) => outcome(text) === 'decoded').length
  const slowestCut = Math.max(...truncated.map((text) => best(() => outcome(text), 3)))
  const hostile = {
    '16,384 nines': '9'.repeat(16_384),
    'an inflation to 6.5 MB': toDecimal(gzipSync(Buffer.alloc(6_500_000))),
    'the longest hexadecimal text': `0x${'f'.repeat(16_382)}`,
  }
  return [
    '## Aadhaar Secure QR',
    '',
    `Open cases and published vectors: ${rows.length - wrong.length} of ${rows.length} as expected${wrong.length > 0 ? ` (not ${wrong.join(', ')})` : ''}.`,
    `Decode and verify against ${keys.length} certificates, processor time: ${median(times).toFixed(3)} ms at the median, ${Math.max(...times).toFixed(3)} ms at most.`,
    `A published QR cut at each of its ${truncated.length} bytes: ${accepted} accepted, ${slowestCut.toFixed(2)} ms at most.`,
    ...Object.entries(hostile).map(
      ([what, text]) =>
        `- ${what}: refused at "${outcome(text)}" in ${best(() => outcome(text), 9).toFixed(2)} ms`,
    ),
  ].join('\n')
}

function isAsExpected({ qr_text, expect }: QrRow, keys: SecureQrKey[]): boolean {
  if (expect === undefined) return outcome(qr_text) !== 'decoded'
  const decoded = decodeSecureQr(qr_text)
  const answer: Record<string, unknown> = { ...decoded.content, ...verifySecureQr(decoded, keys) }
  return Object.entries(expect).every(([field, value]) => {
    const actual = answer[field]
    if (field === 'generated_at') return actual === `${String(value).slice(0, 19)}Z`
    if (field !== 'address') return actual === value
    const address = actual as Record<string, unknown>
    return Object.entries(value as Record<string, unknown>).every(([part, text]) => address[part] === text)
  })
}
