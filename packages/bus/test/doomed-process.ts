// A process that appends an event and kills itself at the line that `point` selects. Started by
// fail-points.integration.test.ts.
import { defineEvent } from '@kyc/common'
import { openDatabase, silentLogger } from '@kyc/runtime'
import { z } from 'zod'
import { createOutbox, inbox, inProcessBus, OutboxRelay, rabbitmqBus } from '../src/index.ts'

export type Doom = {
  databaseUrl: string
  schema: string
  scope: string
  /** URL of the broker; null for the in-process transport. */
  brokerUrl: string | null
  /**
   * In order: after the commit and before publishing; after publishing and before marking; after the effect and before
   * the ack.
   */
  point: 'commit' | 'publish' | 'effect'
}

const doom = JSON.parse(process.argv[2] ?? '') as Doom
const die = () => process.kill(process.pid, 'SIGKILL')

const open = (schema: string) => openDatabase({ url: doom.databaseUrl, schema, logger: silentLogger })
const database = await open(doom.schema)
const changed = defineEvent(
  `${doom.scope}.changed`,
  1,
  z.object({ number: z.number(), text: z.string().optional() }),
)
const bus = doom.brokerUrl
  ? rabbitmqBus({ url: doom.brokerUrl, service: doom.scope, logger: silentLogger })
  : inProcessBus({ database: await open(`bus_${doom.scope}`), logger: silentLogger })

bus.subscribe(changed, {
  service: doom.scope,
  async handle({ id }) {
    // At the other points the message must remain for the next process.
    if (doom.point !== 'effect') await new Promise(() => undefined)
    await database.transaction(async (tx) => {
      if (await inbox.claim(tx, doom.scope, id)) await tx.query('INSERT INTO effect VALUES ($1)', [id])
    })
    die()
  },
})
await bus.start()
const relay = new OutboxRelay({
  database,
  logger: silentLogger,
  leaseMs: 300,
  bus: {
    attach: () => undefined,
    async publish(messages) {
      if (doom.point === 'commit') die()
      const outcomes = await bus.publish(messages)
      if (doom.point === 'publish') die()
      return outcomes
    },
  },
})
await relay.start()
await database.transaction((tx) => createOutbox().append(tx, changed, { number: 7 }))
