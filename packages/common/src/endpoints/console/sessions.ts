import { z } from 'zod'
import {
  assignment,
  eventActor,
  evidenceItem,
  matchVerdict,
  reviewRecord,
  sessionFacts,
  sessionListItem,
  sessionNote,
  timelineEntry,
} from '../../domain/console-session.ts'
import { pathId } from '../../domain/ids.ts'
import { decision } from '../../domain/session.ts'
import { decisionReason, sessionStatuses } from '../../domain/session-state.ts'
import { timestamp } from '../../domain/timestamp.ts'
import { defineContract } from '../define.ts'
import { createdSession, createSessionBody } from '../sessions.ts'
import { allowed, appParams, appPath, consoleEndpoint } from './parts.ts'

const common = { ...consoleEndpoint, tag: 'Sessions' } as const
const params = appParams.extend({ session_id: pathId })
const sessionPath = `${appPath}/sessions/:session_id`

/** Adds the console's name of the user with the same id; null for anyone else. */
const named = z.object({ name: z.string().nullable() })
export const namedAssignment = assignment.extend(named.shape)
export const namedActor = eventActor.extend(named.shape)

/** A session as a list shows it, with the name of its reviewer. */
export const consoleSessionItem = sessionListItem.extend({ assignment: namedAssignment.nullable() })
export type ConsoleSessionItem = z.infer<typeof consoleSessionItem>

/** A warning in words: what it means and what to examine. */
export const warningText = z.object({ title: z.string(), explanation: z.string(), advice: z.string() })
export type WarningText = z.infer<typeof warningText>

/** All data of one session. Personal. */
export const consoleSession = sessionFacts.extend({
  session: consoleSessionItem,
  timeline: z.array(timelineEntry.extend({ actor: namedActor })),
  reviews: z.array(reviewRecord.extend({ actor: namedActor, note: z.string().nullable() })),
  notes: z.array(sessionNote.extend(named.shape)),
  /** As the client sees it: identity, checks with warnings and AML matches, and the last review. */
  decision,
  evidence: z.array(evidenceItem),
  /** By warning code, for every code in `decision`. */
  warning_texts: z.record(z.string(), warningText),
})
export type ConsoleSession = z.output<typeof consoleSession>

const commaList = <T extends readonly [string, ...string[]]>(values: T) =>
  z
    .string()
    .max(200)
    .transform((text) => text.split(',').filter((item) => item !== ''))
    .pipe(z.array(z.enum(values)).max(values.length))

export const limitQuery = z
  .string()
  .regex(/^\d{1,3}$/, 'must be a whole number')
  .transform(Number)
  .pipe(z.int().min(1).max(100))
  .default(25)

/** The start of the next page, as returned with the last page. */
export const cursorQuery = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,128}$/, 'must be the next_cursor of an earlier page')
  .optional()

/** `me`, `none`, or a user's id. */
export const assigneeQuery = z
  .string()
  .regex(/^(me|none|usr_[A-Za-z0-9]{16,64})$/, 'must be me, none or a user id')
  .optional()

const note = z.string().trim().min(1).max(2000)
/** The state that the user saw when deciding: the change is rejected if the session has changed since. */
const sequence = z.int().min(0)

export const consoleSessionEndpoints = defineContract({
  searchConsoleSessions: {
    ...common,
    method: 'get',
    path: `${appPath}/sessions`,
    access: allowed('session.read'),
    summary: 'Sessions, newest first; every filter must hold',
    params: appParams,
    query: z.strictObject({
      /** Comma-separated. */
      status: commaList(sessionStatuses).optional(),
      workflow_id: z.string().max(128).optional(),
      reason: decisionReason.optional(),
      warning: z.string().max(64).optional(),
      assignee: assigneeQuery,
      vendor_data: z.string().max(256).optional(),
      session_id: z.string().max(128).optional(),
      /** Whole words of the name on the document, in any order and without accents. Purged sessions have no name. */
      name: z.string().max(200).optional(),
      created_from: timestamp.optional(),
      /** Exclusive. */
      created_to: timestamp.optional(),
      cursor: cursorQuery,
      limit: limitQuery,
    }),
    success: {
      status: 200,
      body: z.object({
        data: z.array(consoleSessionItem),
        next_cursor: z.string().nullable(),
        /** Given when it is known without counting (a filter by status only, or a single page); otherwise null. */
        total: z.int().min(0).nullable(),
      }),
    },
    errors: ['bad_request', 'not_found'],
  },
  createConsoleSession: {
    ...common,
    method: 'post',
    path: `${appPath}/sessions`,
    access: allowed('session.create'),
    summary: 'A session with its hosted link and a QR code of it',
    params: appParams,
    body: createSessionBody,
    success: {
      status: 201,
      /** The link is returned only once. */
      body: createdSession.extend({ qr_svg: z.string() }),
    },
    errors: ['bad_request', 'not_found', 'unprocessable'],
  },
  getConsoleSession: {
    ...common,
    method: 'get',
    path: sessionPath,
    access: allowed('session.read'),
    summary:
      'One session with its checks, timeline, notes, reviews and list of evidence; the view is audited',
    params,
    success: { status: 200, body: consoleSession },
    errors: ['not_found'],
  },
  getEvidence: {
    ...common,
    method: 'get',
    path: `${sessionPath}/evidence/:object_id`,
    access: allowed('evidence.read'),
    summary: 'One picture, encoded anew without metadata; each view is audited',
    params: params.extend({ object_id: pathId }),
    success: { status: 200, body: null, type: 'binary' },
    errors: ['not_found'],
  },
  getReport: {
    ...common,
    method: 'get',
    path: `${sessionPath}/report`,
    access: allowed('evidence.read'),
    summary: 'A page to print; with `evidence=true` the pictures stand in it, each audited as a view',
    params,
    query: z.strictObject({ evidence: z.enum(['true', 'false']).default('false') }),
    success: { status: 200, body: null, type: 'html' },
    errors: ['bad_request', 'not_found'],
  },
  assignSession: {
    ...common,
    method: 'post',
    path: `${sessionPath}/assignment`,
    access: allowed('session.assign'),
    summary: 'Hold a session, for oneself or another, or (null) let it go; 409 while another person holds it',
    params,
    body: z.strictObject({
      user_id: z.string().max(128).nullable(),
      /** Take the session over from its current reviewer. */
      take_over: z.boolean().default(false),
    }),
    success: { status: 200, body: z.object({ assignment: namedAssignment.nullable() }) },
    errors: ['bad_request', 'not_found', 'conflict'],
  },
  addNote: {
    ...common,
    method: 'post',
    path: `${sessionPath}/notes`,
    access: allowed('session.note'),
    summary: 'Add a note for other reviewers',
    params,
    body: z.strictObject({ text: note }),
    success: { status: 201, body: sessionNote.extend(named.shape) },
    errors: ['bad_request', 'not_found', 'conflict'],
  },
  decideConsoleSession: {
    ...common,
    method: 'post',
    path: `${sessionPath}/decision`,
    access: allowed('session.decide'),
    summary: 'Approve or decline a session in review; 409 says who was first and when',
    params,
    body: z
      .strictObject({
        status: z.enum(['approved', 'declined']),
        sequence,
        reason: decisionReason.nullable().default(null),
        note: note.nullable().default(null),
      })
      .refine((body) => body.status === 'approved' || body.reason !== null, {
        path: ['reason'],
        error: 'is required to decline',
      }),
    success: { status: 200, body: consoleSession },
    errors: ['bad_request', 'not_found', 'conflict'],
  },
  askForAnotherTry: {
    ...common,
    method: 'post',
    path: `${sessionPath}/retry`,
    access: allowed('session.ask_again'),
    summary: 'Open the hosted flow again for the person: a new round of every step, with the same link',
    params,
    body: z.strictObject({ sequence, note: note.nullable().default(null) }),
    success: { status: 200, body: consoleSession },
    errors: ['bad_request', 'not_found', 'conflict'],
  },
  reviewMatch: {
    ...common,
    method: 'post',
    path: `${sessionPath}/aml-matches/:match_id/review`,
    access: allowed('aml_match.review'),
    summary: 'Say what one AML match is',
    params: params.extend({ match_id: pathId }),
    body: z.strictObject({ verdict: matchVerdict, note: note.nullable().default(null) }),
    success: { status: 200, body: consoleSession },
    errors: ['bad_request', 'not_found', 'conflict'],
  },
  rescreenSession: {
    ...common,
    method: 'post',
    path: `${sessionPath}/rescreen`,
    access: allowed('session.rescreen'),
    summary: 'Screen the name again on the lists of today; verdicts on matches that are still there stay',
    params,
    success: { status: 200, body: consoleSession },
    errors: ['not_found', 'conflict'],
  },
  purgeConsoleSession: {
    ...common,
    method: 'delete',
    path: sessionPath,
    access: allowed('session.purge'),
    summary: 'Purge the personal data and the evidence of a session, for good',
    params,
    success: { status: 204, body: null },
    errors: ['not_found', 'conflict'],
  },
})
