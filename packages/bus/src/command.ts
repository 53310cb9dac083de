// `dead-letters list <queue>` prints what is parked; `dead-letters replay <queue> [<message id>…]` puts it back.
// RABBITMQ_URL says where the broker is; without it DATABASE_URL names the database of the in-process transport.
import { openDatabase, silentLogger } from '@kyc/runtime'
import { inProcessBus, rabbitmqBus } from './index.ts'

const usage =
  'usage: dead-letters list <service>.<event> | dead-letters replay <service>.<event> [<message id>...]'

async function open() {
  const { RABBITMQ_URL: brokerUrl, DATABASE_URL: databaseUrl } = process.env
  if (brokerUrl) {
    const bus = rabbitmqBus({ url: brokerUrl, service: 'operator', logger: silentLogger })
    await bus.start()
    return { deadLetters: bus.deadLetters, close: () => bus.close() }
  }
  if (!databaseUrl) throw new Error('Set RABBITMQ_URL or DATABASE_URL.')
  const database = await openDatabase({ url: databaseUrl, schema: 'bus', logger: silentLogger })
  // Not started: the queues belong to the process that serves them, which finds what is replayed within a second.
  return { deadLetters: inProcessBus({ database, logger: silentLogger }).deadLetters, close: database.close }
}

const [action, queue, ...ids] = process.argv.slice(2).filter((argument) => argument !== 'dead-letters')
if (!queue || (action !== 'list' && action !== 'replay')) {
  console.error(usage)
  process.exitCode = 2
} else {
  const { deadLetters, close } = await open()
  if (action === 'list') {
    for (const letter of await deadLetters.list({ queue, limit: 1_000 })) console.log(JSON.stringify(letter))
  } else {
    const replayed = await deadLetters.replay({ queue, ids: ids.length > 0 ? ids : undefined })
    console.log(`${replayed} messages were put back into ${queue}.`)
  }
  await close()
}
