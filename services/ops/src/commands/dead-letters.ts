import { type Command, UsageError } from '../command.ts'

export const deadLetters: Command = {
  usage: 'list <service>.<event> | replay <service>.<event> [message id...]',
  summary: 'prints the messages that were parked, with the reason; puts them back into their queue',
  async run([action, queue, ...ids], context) {
    if (!queue || (action !== 'list' && action !== 'replay'))
      throw new UsageError('list or replay, and a queue')
    const letters = await context.deadLetters()
    if (action === 'list') {
      const found = await letters.list({ queue, limit: 1_000 })
      for (const letter of found) context.say(JSON.stringify(letter))
      context.say(`${found.length} messages are parked in ${queue}.`)
      return
    }
    const replayed = await letters.replay({ queue, ...(ids.length > 0 ? { ids } : {}) })
    context.say(`${replayed} messages were put back into ${queue}.`)
  },
}
