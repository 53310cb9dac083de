import { type ConfirmChannel, connect } from 'amqplib'
import { type Bus, inbox } from '../src/index.ts'
import type { Received, World } from './world.ts'

/** Subscribes with an inbox and one effect row per event, and reports each effect. */
export const subscribeWithEffectRow = (world: World, bus: Bus, effects: Received<number>): void =>
  bus.subscribe(world.changed, {
    service: world.scope,
    async handle({ id, payload }) {
      const first = await world.database.transaction(async (tx) => {
        if (!(await inbox.claim(tx, world.scope, id))) return false
        await tx.query('INSERT INTO effect VALUES ($1)', [id])
        return true
      })
      if (first) effects.add(payload.number)
    },
  })

/**
 * Acts on the broker as an operator or another program would: on a separate connection, confirmed before it returns.
 */
export async function onChannel<T>(url: string, work: (channel: ConfirmChannel) => Promise<T>): Promise<T> {
  const connection = await connect(url)
  const channel = await connection.createConfirmChannel()
  const result = await work(channel)
  await channel.waitForConfirms()
  await connection.close()
  return result
}
