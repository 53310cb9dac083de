import { checkEndpoints } from '@kyc/common'
import type { ServiceDeps } from '@kyc/host'
import { mount, type Replies } from '@kyc/http'
import express, { type Router } from 'express'
import type { DocumentReader } from '../reading/document-reader.ts'
import { answerDocument } from './read-document.ts'

/** The standalone check of photos: it creates no session and stores nothing. */
export function documentChecksRouter(
  deps: ServiceDeps & { replies: Replies },
  reader: DocumentReader,
): Router {
  const router = express.Router()
  const { readDocument } = checkEndpoints
  mount(
    router,
    { readDocument },
    {
      readDocument: ({ body, files }, { keyed }) =>
        answerDocument(
          reader,
          {
            image: files.image[0]!.bytes,
            image_back: files.image_back[0]?.bytes ?? null,
            document_type: body.document_type ?? null,
            country: body.country ?? null,
          },
          keyed?.firstAt ?? deps.clock.now(),
        ),
    },
    deps,
  )
  return router
}
