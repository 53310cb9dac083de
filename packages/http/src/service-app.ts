import type { ServiceName } from '@kyc/common'
import { notFound, PublicError } from '@kyc/common'
import { type Logger, type Metrics, type ReadinessProbe, readiness } from '@kyc/runtime'
import express, { type Express, type Router } from 'express'
import { sendError } from './errors.ts'

export type ServiceAppOptions = {
  service: ServiceName
  logger: Logger
  metrics: Metrics
  probes: readonly ReadinessProbe[]
  routers: readonly Router[]
}

/** The express application of one service: liveness, readiness, its routes, and the error renderer. */
export function serviceApp({ logger, metrics, probes, routers }: ServiceAppOptions): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', 'simple')
  app.use((_request, response, next) => {
    response.setHeader('x-content-type-options', 'nosniff')
    response.setHeader('cache-control', 'no-store')
    next()
  })
  app.get('/health', (_request, response) => {
    response.json({ ok: true })
  })
  app.get('/ready', async (_request, response) => {
    const state = await readiness(probes)
    response.status(state.ready ? 200 : 503).json(state)
  })
  for (const router of routers) app.use(router)
  app.use((_request, _response, next) => next(notFound('path')))
  app.use(
    (error: unknown, _request: express.Request, response: express.Response, _next: express.NextFunction) => {
      sendError(response, fromExpress(error), logger)
    },
  )
  metrics
    .gauge('service_info', 'Always 1; the version is in the label', ['version'])
    .set({ version: '0.1.0' }, 1)
  return app
}

/** A path that cannot be decoded is the caller's error, not an internal one. */
const fromExpress = (error: unknown): unknown =>
  error instanceof URIError ? new PublicError('bad_request', 'path: is not correctly encoded') : error
