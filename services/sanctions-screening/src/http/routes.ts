import { checkEndpoints } from '@kyc/common'
import { type CallContext, type MountOptions, mount } from '@kyc/http'
import express, { type Router } from 'express'
import { beginScreening, type ScreeningRun } from '../operations/begin-screening.ts'
import type { ScreeningDeps } from '../operations/deps.ts'
import { screenName } from '../operations/screen-name.ts'
import { screenNames } from '../operations/screen-names.ts'
import { writeAnswers } from './write-answers.ts'

/** The standalone AML checks. They create no session and store no name. */
export function screeningRouter(deps: ScreeningDeps, options: MountOptions): Router {
  const router = express.Router()
  mount(
    router,
    { screenName: checkEndpoints.screenName, screenNames: checkEndpoints.screenNames },
    {
      screenName: async ({ body }, context) => screenName(deps, await begin(deps, context), body),
      screenNames: async ({ body }, context) => {
        const run = await begin(deps, context)
        await writeAnswers(context.response, screenNames(deps, run, body.names))
      },
    },
    options,
  )
  return router
}

/** A repeated request that is screened again because a list changed must not be labelled as a replay. */
async function begin(
  deps: ScreeningDeps,
  { keyed, response }: Pick<CallContext, 'keyed' | 'response'>,
): Promise<ScreeningRun> {
  const run = await beginScreening(deps, keyed?.firstAt ?? null)
  if (keyed !== undefined && !run.isReplay) response.removeHeader('idempotent-replayed')
  return run
}
