import { checkEndpoints } from '@kyc/common'
import type { ServiceDeps } from '@kyc/host'
import { mount, type Replies } from '@kyc/http'
import express, { type Router } from 'express'
import type { FaceEngine } from '../engine/face-engine.ts'
import { matchFaces } from '../operations/match-faces.ts'

/** The standalone comparison: it creates no session and stores nothing. */
export function faceRouter(engine: FaceEngine, deps: ServiceDeps & { replies: Replies }): Router {
  const router = express.Router()
  mount(
    router,
    { matchFaces: checkEndpoints.matchFaces },
    {
      matchFaces: ({ files }) => matchFaces(engine, files.image_a[0]!.bytes, files.image_b[0]!.bytes),
    },
    deps,
  )
  return router
}
