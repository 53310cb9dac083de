import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { decision, publicSigningKey } from '@kyc/common'
import { z } from 'zod'
import { verifyReceipt } from './verify-receipt.ts'

const usage = `verify-receipt FILE --keys KEYS.json [--decision DECISION.json]

  FILE        what GET /v1/sessions/{id}/receipt or .../purge-certificate answered
  --keys      what GET /v1/signing-keys answered, kept from a day on which you trusted it
  --decision  what GET /v1/sessions/{id}/decision answered, to be held against the receipt's hashes

Works without network. Ends with 0 when everything holds, 1 when something does not, 2 on wrong use.
`

const json = async (file: string): Promise<unknown> => JSON.parse(await readFile(file, 'utf8'))

/** The command `verify-receipt`; returns the exit code. */
export async function verifyReceiptCommand(
  args: readonly string[],
  print: (line: string) => void = (line) => void process.stdout.write(`${line}\n`),
): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { keys: { type: 'string' }, decision: { type: 'string' } },
  })
  const [file] = positionals
  if (!file || !values.keys) {
    print(usage)
    return 2
  }
  const { keys } = z.object({ keys: z.array(publicSigningKey) }).parse(await json(values.keys))
  const context = values.decision ? { keys, decision: decision.parse(await json(values.decision)) } : { keys }
  const { kind, problems } = verifyReceipt(await json(file), context)
  for (const problem of problems) print(`NOT VALID: ${problem}`)
  if (problems.length === 0)
    print(`valid ${kind}${values.decision ? ', and the decision is the signed one' : ''}`)
  return problems.length === 0 ? 0 : 1
}
