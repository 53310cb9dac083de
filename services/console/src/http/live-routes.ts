import { consoleLiveEndpoints } from '@kyc/common'
import { type MountOptions, mount } from '@kyc/http'
import type { Request, Router } from 'express'
import { isLive } from '../domain/sign-in-rule.ts'
import type { LiveFeed } from '../live/feed.ts'
import { LiveStream } from '../live/stream.ts'
import type { Operations } from '../operations/context.ts'
import { liveEventRange, readMissed } from '../store/live-events.ts'
import { findSignInById } from '../store/sign-ins.ts'

const beatMs = 10_000
/** A page that missed more events than this is told to reload everything. */
const mostMissed = 1_000

/** Streams changes of an app's sessions and workflows to open pages. */
export function mountLive(
  router: Router,
  operations: Operations,
  feed: LiveFeed,
  options: MountOptions,
): void {
  const { database, clock, logger } = operations
  mount(
    router,
    consoleLiveEndpoints,
    {
      streamLive: async ({ params }, { caller, request, response }) => {
        const range = await liveEventRange(database)
        const lastSeen = lastEventId(request)
        const stream = new LiveStream(response, lastSeen ?? range.last)
        const end = feed.listen({ app_id: params.app_id, tell: (event) => stream.tell(event) })
        const beat = setInterval(() => {
          mayStillRead(operations, caller.sign_in_id, params.app_id)
            .then((may) => (may ? stream.beat() : response.end()))
            .catch((error: unknown) => {
              logger.warn('a live stream is ended: its session could not be checked', { error })
              response.destroy()
            })
        }, beatMs)
        response.once('close', () => {
          clearInterval(beat)
          end()
        })
        if (lastSeen === null) return stream.resume([])
        const missed = await readMissed(database, params.app_id, lastSeen, mostMissed + 1)
        const forgotten = range.first > 0 && lastSeen < range.first - 1
        if (forgotten || lastSeen > range.last || missed.length > mostMissed) stream.reset(range.last)
        stream.resume(missed)
      },
    },
    options,
  )

  async function mayStillRead({ database }: Operations, signInId: string, appId: string): Promise<boolean> {
    const signIn = await findSignInById(database, signInId)
    if (!signIn || signIn.disabled_at || signIn.state !== 'full' || !isLive(signIn, clock.now())) return false
    return signIn.app_ids === null || signIn.app_ids.includes(appId)
  }
}

/** Null on the first connection. */
function lastEventId(request: Request): number | null {
  const given = request.headers['last-event-id']
  return typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : null
}
