// Made from the interface's contracts by `pnpm --filter @kyc/client types`; a test fails when it is out of date.

/** An image or other file: its bytes. */
export type FileInput = Blob | Uint8Array | ArrayBuffer

export type Error = {
  error: {
    code: string
    message: string
  }
}

export type Session = {
  session_id: string
  status: 'not_started' | 'in_progress' | 'processing' | 'approved' | 'declined' | 'in_review' | 'expired' | 'abandoned'
  decision_reason: 'purged' | 'consent_declined' | 'session_expired' | 'session_abandoned' | 'processing_error' | 'document_expired' | 'document_not_supported' | 'document_tampered' | 'document_invalid' | 'liveness_failed' | 'face_mismatch' | 'face_blocklisted' | 'document_blocklisted' | 'underage' | 'duplicate_document' | 'duplicate_face' | 'aml_confirmed_match' | 'aml_potential_match' | 'aml_unavailable' | 'document_unreadable' | 'document_inconsistent' | 'liveness_inconclusive' | 'face_match_inconclusive' | 'age_unverified' | 'email_unverified' | 'ip_risk' | 'ip_country_mismatch' | 'manual_review_required' | 'manual_review_declined' | 'resubmission_requested' | null
  workflow_id: string
  vendor_data: string | null
  created_via: 'api' | 'console'
  created_at: string
  updated_at: string
  started_at: string | null
  submitted_at: string | null
  completed_at: string | null
  expires_at: string
  purged_at: string | null
}

export type CreatedSession = {
  session_id: string
  status: 'not_started' | 'in_progress' | 'processing' | 'approved' | 'declined' | 'in_review' | 'expired' | 'abandoned'
  url: string
  session_token: string
  workflow_id: string
  vendor_data: string | null
  expires_at: string
}

export type Decision = {
  session_id: string
  status: 'not_started' | 'in_progress' | 'processing' | 'approved' | 'declined' | 'in_review' | 'expired' | 'abandoned'
  decision_reason: 'purged' | 'consent_declined' | 'session_expired' | 'session_abandoned' | 'processing_error' | 'document_expired' | 'document_not_supported' | 'document_tampered' | 'document_invalid' | 'liveness_failed' | 'face_mismatch' | 'face_blocklisted' | 'document_blocklisted' | 'underage' | 'duplicate_document' | 'duplicate_face' | 'aml_confirmed_match' | 'aml_potential_match' | 'aml_unavailable' | 'document_unreadable' | 'document_inconsistent' | 'liveness_inconclusive' | 'face_match_inconclusive' | 'age_unverified' | 'email_unverified' | 'ip_risk' | 'ip_country_mismatch' | 'manual_review_required' | 'manual_review_declined' | 'resubmission_requested' | null
  workflow_id: string
  vendor_data: string | null
  metadata: Record<string, unknown>
  identity: Identity
  checks: Array<Check>
  review: Review | null
  created_at: string
  submitted_at: string | null
  completed_at: string | null
  expires_at: string
}

export type Identity = {
  full_name: string | null
  date_of_birth: string | null
  nationality: string | null
  document_type: string | null
  document_number_masked: string | null
  expiry_date: string | null
  sources: Record<string, 'secure_qr' | 'mrz' | 'barcode' | 'visual' | 'reviewer'>
}

export type Check = {
  kind: 'consent' | 'email' | 'document' | 'liveness' | 'face_match' | 'aml' | 'age' | 'duplicate' | 'ip'
  status: 'pending' | 'passed' | 'warning' | 'failed' | 'skipped' | 'error'
  score: number | null
  data: Record<string, unknown>
  warnings: Array<Warning>
  attempts: number
  started_at: string | null
  completed_at: string | null
  engine: {
    name: string
    version: string
  } | null
}

export type Warning = {
  code: string
  severity: 'low' | 'medium' | 'high'
  message: string
  field: string | null
  details: Record<string, unknown> | null
}

export type Review = {
  reviewed_by: string | null
  reviewed_at: string
  note: string | null
}

export type SignedReceipt = {
  payload: {
    type: 'kyc.decision-receipt'
    version: 1
    app_id: string
    environment: 'test' | 'live'
    session_id: string
    sequence: number
    round: number
    status: 'not_started' | 'in_progress' | 'processing' | 'approved' | 'declined' | 'in_review' | 'expired' | 'abandoned'
    decision_reason: 'purged' | 'consent_declined' | 'session_expired' | 'session_abandoned' | 'processing_error' | 'document_expired' | 'document_not_supported' | 'document_tampered' | 'document_invalid' | 'liveness_failed' | 'face_mismatch' | 'face_blocklisted' | 'document_blocklisted' | 'underage' | 'duplicate_document' | 'duplicate_face' | 'aml_confirmed_match' | 'aml_potential_match' | 'aml_unavailable' | 'document_unreadable' | 'document_inconsistent' | 'liveness_inconclusive' | 'face_match_inconclusive' | 'age_unverified' | 'email_unverified' | 'ip_risk' | 'ip_country_mismatch' | 'manual_review_required' | 'manual_review_declined' | 'resubmission_requested' | null
    decided_at: string
    review: {
      reviewed_by: string | null
      reviewed_at: string
    } | null
    salt: string
    workflow: {
      id: string
      version: number
      config_sha256: string
    }
    evidence: Array<{
      kind: string
      object_id: string
      sha256: string
    }>
    identity_sha256: string
    checks: Array<{
      kind: 'consent' | 'email' | 'document' | 'liveness' | 'face_match' | 'aml' | 'age' | 'duplicate' | 'ip'
      status: 'pending' | 'passed' | 'warning' | 'failed' | 'skipped' | 'error'
      engine: {
        name: string
        version: string
      } | null
      output_sha256: string
    }>
    lists: Array<{
      list: string
      version: string
    }>
    code: {
      version: string
      commit: string | null
    }
  }
  signature: {
    algorithm: 'Ed25519'
    key_id: string
    value: string
  }
}

export type SignedPurgeCertificate = {
  payload: {
    type: 'kyc.purge-certificate'
    version: 1
    app_id: string
    session_id: string
    purged_at: string
    completed_at: string
    vault: {
      data_key: 'destroyed' | 'never_made'
      files_deleted: number
      files_remaining: 0
    }
    services: Array<{
      service: string
      confirmed_at: string
      deleted: Record<string, number>
      remaining: Record<string, number>
    }>
    code: {
      version: string
      commit: string | null
    }
  }
  signature: {
    algorithm: 'Ed25519'
    key_id: string
    value: string
  }
}

export type PublicSigningKey = {
  kty: 'OKP'
  crv: 'Ed25519'
  x: string
  kid: string
  use: 'sig'
  alg: 'EdDSA'
}

export type Workflow = {
  id: string
  name: string
  is_default: boolean
  version: number
  created_at: string
  updated_at: string
  config: {
    steps: {
      consent: {
        enabled: boolean
        version: string
        text: Record<string, string>
        privacy_url: string | null
      }
      email: {
        enabled: boolean
        required: boolean
        allow_disposable: boolean
      }
      document: {
        enabled: boolean
        allowed_types: Array<'passport' | 'identity_card' | 'driving_licence' | 'residence_permit' | 'visa' | 'aadhaar' | 'pan_card' | 'voter_id'>
        allowed_countries: Array<string> | null
        require_back: 'auto' | boolean
        allow_upload: boolean
        max_attempts: number
        expiring_soon_days: number
      }
      liveness: {
        enabled: boolean
        mode: 'passive' | 'active'
        max_attempts: number
        pass: number
        review: number
      }
      face_match: {
        enabled: boolean
        threshold: number
        review_below: number
      }
      aml: {
        enabled: boolean
        lists: Array<string> | null
        monitor: boolean
      }
      age: {
        enabled: boolean
        minimum: number
      }
      duplicate: {
        enabled: boolean
        document_action: 'none' | 'review' | 'decline'
        face_action: 'none' | 'review' | 'decline'
        face_threshold: number
      }
      ip: {
        enabled: boolean
        country_mismatch_action: 'none' | 'review' | 'decline'
        anonymizer_action: 'none' | 'review' | 'decline'
      }
    }
    decision: {
      auto_decline: boolean
    }
    redirect_url: string | null
    review_threshold: number
    abandon_after_minutes: number
    locales: Array<string>
    handoff: {
      enabled: boolean
    }
  }
}

export type AmlMatch = {
  match_id: string
  list: string
  list_version: string
  entity_id: string
  entity_type: 'person' | 'organization' | 'vessel' | 'aircraft'
  name: string
  matched_name: string
  matched_name_type: 'primary' | 'alias' | 'weak_alias'
  score: number
  name_score: number
  date_of_birth_match: boolean | null
  dates_of_birth: Array<string>
  nationalities: Array<string>
  nationality_match?: boolean
  programs: Array<string>
  listed_on: string | null
  remarks: string | null
  source_url: string | null
  explanation: {
    tokens: Array<{
      query: string
      listed: string
      similarity: number
    }>
    unmatched_query: Array<string>
    unmatched_listed: Array<string>
    adjustments: Array<{
      code: string
      delta: number
    }>
  }
  review?: {
    status: 'unreviewed' | 'true_positive' | 'false_positive' | 'inconclusive'
    reviewed_by: string | null
    reviewed_at: string | null
    note: string | null
  }
}

export type AmlAnswer = {
  matches: Array<AmlMatch>
  screened_at: string
  lists: Array<ListInfo>
  warnings: Array<{
    code: string
    severity: 'low' | 'medium' | 'high'
    message: string
  }>
}

export type ListInfo = {
  list: string
  version: string
  fetched_at: string
  entity_count: number
  status: 'ok' | 'stale' | 'error' | 'not_loaded'
  failure?: {
    code: string
    message: string
    at: string
    attempts: number
  }
}

export type PanAnswer = {
  normalized: string
  valid_format: boolean
  holder_type: 'individual' | 'company' | 'hindu_undivided_family' | 'firm' | 'association_of_persons' | 'trust' | 'body_of_individuals' | 'local_authority' | 'artificial_juridical_person' | 'government' | 'unknown'
  name_initial_match: boolean | null
  issues: Array<{
    code: 'invalid_length' | 'invalid_format' | 'unknown_holder_type' | 'zero_sequence' | 'name_initial_mismatch'
    message: string
  }>
  government_lookup: false
  note: string
}

export type MrzAnswer = {
  format: 'td1' | 'td2' | 'td3' | 'mrv_a' | 'mrv_b' | 'fra_id'
  document_code: string
  issuing_state: string
  surname: string
  given_names: string
  document_number: string
  nationality: string
  birth_date_raw: string
  expiry_date_raw: string
  birth_date: string | null
  expiry_date: string | null
  sex: 'M' | 'F' | 'X'
  optional_data: string | null
  optional_data_2: string | null
  check_digits: {
    document_number: boolean | null
    birth_date: boolean | null
    expiry_date: boolean | null
    optional_data: boolean | null
    composite: boolean | null
  }
  valid: boolean
  lines: Array<string>
  corrections: Array<{
    line: number
    position: number
    field: string
    from: string
    to: string
  }>
}

export type FaceMatchAnswer = {
  similarity: number
  match: boolean
  threshold: number
  faces: {
    a: number
    b: number
  }
}

export type SecureQrAnswer = {
  source: 'secure_qr'
  version: string
  aadhaar_last4: string | null
  generated_at: string | null
  name: string
  dob_raw: string
  date_of_birth: string | null
  gender: string
  address: Record<string, string | null>
  address_text: string
  mobile_hash: string | null
  email_hash: string | null
  photo_format: string | null
  photo_present: boolean
  signature: 'valid' | 'invalid' | 'no_certificates'
  signature_key: string | null
}

export type DocumentAnswer = {
  document_type: 'passport' | 'identity_card' | 'driving_licence' | 'residence_permit' | 'visa' | 'aadhaar' | 'pan_card' | 'voter_id' | null
  identity: {
    full_name: string | null
    date_of_birth: string | null
    nationality: string | null
    document_type: string | null
    expiry_date: string | null
    sources: Record<string, 'secure_qr' | 'mrz' | 'barcode' | 'visual' | 'reviewer'>
    document_number: string | null
  }
  mrz: MrzAnswer | null
  quality: ImageQuality
  warnings: Array<Warning>
}

export type ImageQuality = {
  sharpness: number | null
  glare: number | null
  brightness: number | null
  resolution: number | null
  cropped: boolean | null
}

export type WebhookDelivery = {
  delivery_id: string
  event: 'session.status_updated' | 'ping'
  session_id: string | null
  status: 'pending' | 'delivering' | 'delivered' | 'failed'
  attempts: Array<{
    number: number
    at: string
    status_code: number | null
    error: string | null
    response_excerpt: string | null
    duration_ms: number
  }>
  next_attempt_at: string | null
}

export type WebhookEvent = {
  event: 'session.status_updated'
  delivery_id: string
  created_at: string
  data: {
    session_id: string
    status: 'not_started' | 'in_progress' | 'processing' | 'approved' | 'declined' | 'in_review' | 'expired' | 'abandoned'
    previous_status: 'not_started' | 'in_progress' | 'processing' | 'approved' | 'declined' | 'in_review' | 'expired' | 'abandoned'
    vendor_data: string | null
    workflow_id: string
    decision: Decision | null
  }
} | {
  event: 'ping'
  delivery_id: string
  created_at: string
  data: {
    app_id: string
    environment: 'test' | 'live'
    message: string
  }
}

export type TestScenario = {
  scenario: 'approved' | 'document_expired' | 'document_blurry' | 'mrz_mismatch' | 'liveness_failed' | 'face_mismatch' | 'aml_match' | 'duplicate' | 'underage' | 'processing_error'
  description: string
  outcome: {
    status: 'not_started' | 'in_progress' | 'processing' | 'approved' | 'declined' | 'in_review' | 'expired' | 'abandoned'
    decision_reason: 'purged' | 'consent_declined' | 'session_expired' | 'session_abandoned' | 'processing_error' | 'document_expired' | 'document_not_supported' | 'document_tampered' | 'document_invalid' | 'liveness_failed' | 'face_mismatch' | 'face_blocklisted' | 'document_blocklisted' | 'underage' | 'duplicate_document' | 'duplicate_face' | 'aml_confirmed_match' | 'aml_potential_match' | 'aml_unavailable' | 'document_unreadable' | 'document_inconsistent' | 'liveness_inconclusive' | 'face_match_inconclusive' | 'age_unverified' | 'email_unverified' | 'ip_risk' | 'ip_country_mismatch' | 'manual_review_required' | 'manual_review_declined' | 'resubmission_requested' | null
  }
  outcome_with_auto_decline: {
    status: 'not_started' | 'in_progress' | 'processing' | 'approved' | 'declined' | 'in_review' | 'expired' | 'abandoned'
    decision_reason: 'purged' | 'consent_declined' | 'session_expired' | 'session_abandoned' | 'processing_error' | 'document_expired' | 'document_not_supported' | 'document_tampered' | 'document_invalid' | 'liveness_failed' | 'face_mismatch' | 'face_blocklisted' | 'document_blocklisted' | 'underage' | 'duplicate_document' | 'duplicate_face' | 'aml_confirmed_match' | 'aml_potential_match' | 'aml_unavailable' | 'document_unreadable' | 'document_inconsistent' | 'liveness_inconclusive' | 'face_match_inconclusive' | 'age_unverified' | 'email_unverified' | 'ip_risk' | 'ip_country_mismatch' | 'manual_review_required' | 'manual_review_declined' | 'resubmission_requested' | null
  }
  check: {
    kind: 'consent' | 'email' | 'document' | 'liveness' | 'face_match' | 'aml' | 'age' | 'duplicate' | 'ip'
    status: 'pending' | 'passed' | 'warning' | 'failed' | 'skipped' | 'error'
    warning_code: string | null
  } | null
  needs: Array<'consent' | 'email' | 'document' | 'liveness' | 'face_match' | 'aml' | 'age' | 'duplicate' | 'ip'>
}

export type FlowState = {
  status: 'not_started' | 'in_progress' | 'processing' | 'approved' | 'declined' | 'in_review' | 'expired' | 'abandoned'
  app: {
    name: string
    logo_url: string | null
    accent: string | null
  }
  locale: string
  locales: Array<string>
  expires_at: string
  steps: Array<{
    key: 'consent' | 'email' | 'document' | 'liveness'
    status: 'locked' | 'pending' | 'completed' | 'retry' | 'failed' | 'skipped'
    required: boolean
    attempts_used: number
    attempts_max: number | null
    options: Record<string, unknown>
  }>
  current_step: 'consent' | 'email' | 'document' | 'liveness' | null
  can_submit: boolean
  handoff: {
    enabled: boolean
    device: 'none' | 'waiting' | 'connected'
  }
  return_url: string | null
}

export type ErrorCode = 'bad_request' | 'unauthorized' | 'forbidden' | 'not_found' | 'conflict' | 'unprocessable' | 'rate_limited' | 'internal'

/** What each operation takes and gives. */
export type Operations = {
  /** Liveness; no key */
  getHealth: {
    params: undefined
    query: undefined
    body: undefined
    answer: {
      ok: true
    }
  }
  /** Create a session and its hosted link */
  createSession: {
    params: undefined
    query: undefined
    body: {
      workflow_id?: string
      vendor_data?: string
      callback_url?: string
      metadata?: Record<string, unknown>
      contact?: {
        email?: string
      }
      expires_in_hours?: number
    }
    answer: CreatedSession
  }
  /** List sessions, newest first */
  listSessions: {
    params: undefined
    query: { status?: 'not_started' | 'in_progress' | 'processing' | 'approved' | 'declined' | 'in_review' | 'expired' | 'abandoned'; vendor_data?: string; page?: number; page_size?: number }
    body: undefined
    answer: {
      data: Array<Session>
      page: number
      page_size: number
      total: number
    }
  }
  /** Get a session */
  getSession: {
    params: { session_id: string }
    query: undefined
    body: undefined
    answer: Session
  }
  /** Purge the personal data of a session */
  purgeSession: {
    params: { session_id: string }
    query: undefined
    body: undefined
    answer: undefined
  }
  /** Get the decision, its checks and the identity */
  getDecision: {
    params: { session_id: string }
    query: undefined
    body: undefined
    answer: Decision
  }
  /** Approve or decline a session in review */
  decideSession: {
    params: { session_id: string }
    query: undefined
    body: {
      status: 'approved' | 'declined'
      note?: string
    }
    answer: {
      session_id: string
      status: 'not_started' | 'in_progress' | 'processing' | 'approved' | 'declined' | 'in_review' | 'expired' | 'abandoned'
      decision_reason: 'purged' | 'consent_declined' | 'session_expired' | 'session_abandoned' | 'processing_error' | 'document_expired' | 'document_not_supported' | 'document_tampered' | 'document_invalid' | 'liveness_failed' | 'face_mismatch' | 'face_blocklisted' | 'document_blocklisted' | 'underage' | 'duplicate_document' | 'duplicate_face' | 'aml_confirmed_match' | 'aml_potential_match' | 'aml_unavailable' | 'document_unreadable' | 'document_inconsistent' | 'liveness_inconclusive' | 'face_match_inconclusive' | 'age_unverified' | 'email_unverified' | 'ip_risk' | 'ip_country_mismatch' | 'manual_review_required' | 'manual_review_declined' | 'resubmission_requested' | null
      workflow_id: string
      vendor_data: string | null
      created_via: 'api' | 'console'
      created_at: string
      updated_at: string
      started_at: string | null
      submitted_at: string | null
      completed_at: string | null
      expires_at: string
      purged_at: string | null
      review: Review
    }
  }
  /** The signed proof of a purge, when every service has confirmed it */
  getPurgeCertificate: {
    params: { session_id: string }
    query: undefined
    body: undefined
    answer: SignedPurgeCertificate
  }
  /** The signed receipt of the latest decision: what it rests on, in hashes */
  getReceipt: {
    params: { session_id: string }
    query: undefined
    body: undefined
    answer: SignedReceipt
  }
  /** The public keys of the app's receipts and purge certificates */
  listSigningKeys: {
    params: undefined
    query: undefined
    body: undefined
    answer: {
      keys: Array<PublicSigningKey>
    }
  }
  /** List the app's live workflows, default first */
  listWorkflows: {
    params: undefined
    query: { page?: number; page_size?: number }
    body: undefined
    answer: {
      data: Array<Workflow>
      page: number
      page_size: number
      total: number
    }
  }
  /** Screen a name against every loaded sanctions list */
  screenName: {
    params: undefined
    query: undefined
    body: {
      full_name: string
      date_of_birth?: string
      nationality?: string
    }
    answer: AmlAnswer
  }
  /** Screen up to 1,000 names; one JSON answer a line, in order */
  screenNames: {
    params: undefined
    query: undefined
    body: {
      names: Array<{
        full_name: string
        date_of_birth?: string
        nationality?: string
        id: string
      }>
    }
    answer: {
      matches: Array<AmlMatch>
      screened_at: string
      lists: Array<ListInfo>
      warnings: Array<{
        code: string
        severity: 'low' | 'medium' | 'high'
        message: string
      }>
      id: string
    }
  }
  /** Validate the structure of a PAN */
  validatePan: {
    params: undefined
    query: undefined
    body: {
      pan: string
      name?: string
    }
    answer: PanAnswer
  }
  /** Parse a machine readable zone, clean or noisy */
  parseMrz: {
    params: undefined
    query: undefined
    body: {
      lines: Array<string>
    }
    answer: MrzAnswer
  }
  /** Compare the most prominent faces of two images */
  matchFaces: {
    params: undefined
    query: undefined
    body: {
      /** First image */
      image_a: FileInput
      /** Second image */
      image_b: FileInput
    }
    answer: FaceMatchAnswer
  }
  /** Decode an Aadhaar Secure QR and verify its signature */
  verifySecureQr: {
    params: undefined
    query: undefined
    body: {
      qr_text: string
    }
    answer: SecureQrAnswer
  }
  /** Read a document from photos */
  readDocument: {
    params: undefined
    query: undefined
    body: {
      document_type?: 'passport' | 'identity_card' | 'driving_licence' | 'residence_permit' | 'visa' | 'aadhaar' | 'pan_card' | 'voter_id'
      country?: string
      /** Front of the document */
      image: FileInput
      /** Back of the document */
      image_back?: FileInput
    }
    answer: DocumentAnswer
  }
  /** List webhook deliveries, newest first */
  listWebhookDeliveries: {
    params: undefined
    query: { status?: 'pending' | 'delivering' | 'delivered' | 'failed'; session_id?: string; page?: number; page_size?: number }
    body: undefined
    answer: {
      data: Array<WebhookDelivery>
      page: number
      page_size: number
      total: number
    }
  }
  /** Get one delivery with all its attempts */
  getWebhookDelivery: {
    params: { delivery_id: string }
    query: undefined
    body: undefined
    answer: WebhookDelivery
  }
  /** The event of a delivery, as its body carries it; after a purge without its decision */
  getWebhookEvent: {
    params: { delivery_id: string }
    query: undefined
    body: undefined
    answer: WebhookEvent
  }
  /** Send a delivery again, as a new attempt of the same delivery */
  redeliverWebhook: {
    params: { delivery_id: string }
    query: undefined
    body: undefined
    answer: WebhookDelivery
  }
  /** The values of metadata.test_scenario and what each leads to */
  listTestScenarios: {
    params: undefined
    query: undefined
    body: undefined
    answer: {
      data: Array<TestScenario>
    }
  }
  /** Take a test session towards a status, as the person, the clock or a reviewer would */
  advanceTestSession: {
    params: { session_id: string }
    query: undefined
    body: {
      to: 'in_progress' | 'processing' | 'approved' | 'declined' | 'in_review' | 'expired' | 'abandoned'
    }
    answer: Session
  }
}
