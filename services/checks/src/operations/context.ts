import type { Outbox } from '@kyc/bus'
import type { ServiceDeps } from '@kyc/host'
import type { AddressDatabase } from '../addresses/address-database.ts'
import type { DocumentReader } from '../reading/document-reader.ts'
import type { BlockedDocuments } from '../store/blocked-documents.ts'
import type { ClientVisits } from '../store/client-visits.ts'
import type { DocumentFingerprints } from '../store/document-fingerprints.ts'
import type { DocumentSides } from '../store/document-sides.ts'

/** The dependencies of the session checks. */
export interface SessionChecks {
  readonly deps: ServiceDeps
  readonly outbox: Outbox
  readonly reader: DocumentReader
  readonly addresses: AddressDatabase
  readonly sides: DocumentSides
  readonly fingerprints: DocumentFingerprints
  readonly blocked: BlockedDocuments
  readonly visits: ClientVisits
}

export const documentEngine = { name: 'document-reader', version: '1' }
export const rulesEngine = { name: 'session-rules', version: '1' }
