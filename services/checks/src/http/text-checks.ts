import { checkEndpoints } from '@kyc/common'
import type { ServiceDeps } from '@kyc/host'
import { mount, type Replies } from '@kyc/http'
import express, { type Router } from 'express'
import type { CertificateFolder } from '../certificates/certificate-folder.ts'
import { validatePan } from '../domain/pan/index.ts'
import { answerMrz } from './parse-mrz.ts'
import { answerSecureQr } from './verify-secure-qr.ts'

/** The standalone checks of text: they create no session and store nothing. */
export function textChecksRouter(
  deps: ServiceDeps & { replies: Replies },
  certificates: CertificateFolder,
): Router {
  const router = express.Router()
  const { parseMrz, validatePan: validatePanEndpoint, verifySecureQr } = checkEndpoints
  mount(
    router,
    { parseMrz, validatePan: validatePanEndpoint, verifySecureQr },
    {
      parseMrz: async ({ body }, { keyed }) => answerMrz(body.lines, keyed?.firstAt ?? deps.clock.now()),
      validatePan: async ({ body }) => validatePan(body.pan, body.name),
      verifySecureQr: ({ body }) => answerSecureQr(body.qr_text, certificates),
    },
    deps,
  )
  return router
}
