import {
  type CreatedSession,
  createdSessionContents,
  type createSessionBody,
  createSessionByUser,
  notFound,
  sealContexts,
} from '@kyc/common'
import { correction, generate } from 'lean-qr'
import { toSvgSource } from 'lean-qr/extras/svg'
import type { z } from 'zod'
import { findApp } from '../store/apps.ts'
import type { Operations } from './context.ts'
import type { By } from './review-session.ts'

/** A session with its link, which is in this response only, and the link as a QR code to scan with a phone. */
export async function createSession(
  { bus, vault, database }: Operations,
  appId: string,
  by: By,
  body: z.output<typeof createSessionBody>,
): Promise<CreatedSession & { qr_svg: string }> {
  const app = await findApp(database, appId)
  if (!app) throw notFound('app')
  const sealedBody = await vault.sealForApp(appId, sealContexts.session_body, body)
  const { sealed_created } = await bus.request(createSessionByUser, {
    app_id: appId,
    environment: app.environment,
    by,
    sealed_body: sealedBody.toString('base64'),
  })
  const opened = await vault.openForApp(
    appId,
    sealContexts.session_link,
    Buffer.from(sealed_created, 'base64'),
  )
  const created = createdSessionContents.parse(opened)
  const code = generate(created.url, { minCorrectionLevel: correction.M })
  return { ...created, qr_svg: toSvgSource(code) }
}
