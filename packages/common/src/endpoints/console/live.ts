import { defineContract } from '../define.ts'
import { allowed, appParams, appPath, consoleEndpoint } from './parts.ts'

export const consoleLiveEndpoints = defineContract({
  streamLive: {
    ...consoleEndpoint,
    tag: 'Live updates',
    method: 'get',
    path: `${appPath}/live`,
    access: allowed('session.read'),
    /**
     * Server-sent events: `event` is a `LiveEvent` type, `data` a `LiveEvent`, and `id` the position from which
     * `Last-Event-ID` resumes. `event: reset` means that the missed events are no longer available, so the client must
     * reload everything.
     */
    summary: 'What happens to sessions and workflows, as it happens; resumes after `Last-Event-ID`',
    params: appParams,
    success: { status: 200, body: null, type: 'event_stream' },
    errors: ['not_found'],
  },
})
