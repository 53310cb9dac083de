import { setTimeout as delay } from 'node:timers/promises'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { type Command, UsageError } from '../command.ts'

const patienceMs = 60_000
const known = new Set(['BucketAlreadyOwnedByYou', 'BucketAlreadyExists'])

export const createBucket: Command = {
  usage: '',
  summary:
    'makes the bucket that VAULT_STORE names, when it is missing; waits up to a minute for the storage',
  async run(_args, context) {
    const { VAULT_STORE } = context.config.vault()
    if (!VAULT_STORE.startsWith('s3://')) throw new UsageError('VAULT_STORE is no s3:// location')
    const location = new URL(VAULT_STORE)
    const endpoint = location.searchParams.get('endpoint') ?? undefined
    const client = new S3Client({
      region: location.searchParams.get('region') ?? 'us-east-1',
      forcePathStyle: endpoint !== undefined,
      ...(endpoint ? { endpoint } : {}),
    })
    const deadline = Date.now() + patienceMs
    for (;;) {
      try {
        await client.send(new CreateBucketCommand({ Bucket: location.hostname }))
        context.say(`${location.hostname}: made`)
        return
      } catch (error) {
        const name = error instanceof Error ? error.name : ''
        if (known.has(name)) {
          context.say(`${location.hostname}: there already`)
          return
        }
        if (Date.now() > deadline) throw error
        await delay(1_000)
      }
    }
  },
}
