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
     * Server-sent events: `event` is a `LiveEvent` type, `data` a `LiveEvent`, `id` what `Last-Event-ID` resumes after.
     * `event: reset` says that what was missed is no longer known: read everything again.
     */
    summary: 'What happens to sessions and workflows, as it happens; resumes after `Last-Event-ID`',
    params: appParams,
    success: { status: 200, body: null, type: 'event_stream' },
    errors: ['not_found'],
  },
})
