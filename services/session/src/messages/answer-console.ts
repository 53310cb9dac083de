import type { Bus } from '@kyc/bus'
import {
  addSessionNote,
  archiveWorkflow,
  askForAnotherTry,
  assignSession as assignRequest,
  createSessionByUser as createRequest,
  createWorkflowByUser,
  editWorkflow,
  findEvidenceObject,
  getAnalytics,
  getSessionDetail,
  getWorkflow,
  getWorkflowVersion,
  listAllWorkflows,
  notFound,
  purgeSessionByUser,
  listReviewQueue as queueRequest,
  rescreenSession as rescreenRequest,
  reviewAmlMatch,
  reviewSession as reviewRequest,
  searchSessions as searchRequest,
  setDefaultWorkflow,
  simulateWorkflow as simulateRequest,
  takeNextInReview,
  toTimestamp,
} from '@kyc/common'
import { addNote } from '../operations/add-note.ts'
import { askAgain } from '../operations/ask-again.ts'
import { assignSession } from '../operations/assign-session.ts'
import { actorOf } from '../operations/audit.ts'
import type { Operations } from '../operations/context.ts'
import { createSessionByUser } from '../operations/create-session-by-user.ts'
import {
  archiveOne,
  createWorkflowFor,
  getWorkflowWithVersions,
  saveWorkflow,
  setDefault,
} from '../operations/edit-workflows.ts'
import { findEvidenceItem } from '../operations/list-evidence.ts'
import { listReviewQueue } from '../operations/list-review-queue.ts'
import { presentAnalytics } from '../operations/present-analytics.ts'
import { presentDetail } from '../operations/present-detail.ts'
import { purgeSession } from '../operations/purge-session.ts'
import { rescreenSession } from '../operations/rescreen-session.ts'
import { reviewMatch } from '../operations/review-match.ts'
import { reviewSession } from '../operations/review-session.ts'
import { searchSessions } from '../operations/search-sessions.ts'
import { simulateWorkflow } from '../operations/simulate-workflow.ts'
import { takeNext } from '../operations/take-next.ts'
import { findVersion, listWorkflows } from '../store/workflow-admin.ts'

/** Registers the handlers for the console's requests. */
export function answerConsole(bus: Bus, operations: Operations): void {
  const { database, clock } = operations

  bus.respond(searchRequest, (request) => searchSessions(operations, request))
  bus.respond(queueRequest, (request) => listReviewQueue(operations, request))
  bus.respond(takeNextInReview, (request) => takeNext(operations, request))
  bus.respond(getSessionDetail, (request) => presentDetail(operations, request))
  bus.respond(findEvidenceObject, (request) => findEvidenceItem(operations, request))
  bus.respond(createRequest, (request) => createSessionByUser(operations, request))
  bus.respond(assignRequest, (request) => assignSession(operations, request))
  bus.respond(addSessionNote, (request) => addNote(operations, request))
  bus.respond(reviewRequest, (request) => reviewSession(operations, request))
  bus.respond(askForAnotherTry, (request) => askAgain(operations, request))
  bus.respond(reviewAmlMatch, (request) => reviewMatch(operations, request))
  bus.respond(rescreenRequest, (request) => rescreenSession(operations, request))
  bus.respond(purgeSessionByUser, async ({ by, ...scope }) => {
    await purgeSession(operations, { ...scope, actor: actorOf(by), ip: by.ip })
    return {}
  })
  bus.respond(getAnalytics, (request) => presentAnalytics(operations, request))

  bus.respond(listAllWorkflows, async ({ app_id }) => ({
    data: await listWorkflows(database, app_id, clock.now()),
  }))
  bus.respond(getWorkflow, (request) => getWorkflowWithVersions(operations, request))
  bus.respond(getWorkflowVersion, async ({ app_id, workflow_id, version }) => {
    const [found, previous] = await Promise.all([
      findVersion(database, app_id, workflow_id, version),
      findVersion(database, app_id, workflow_id, version - 1),
    ])
    if (!found) throw notFound('version')
    return { ...found, created_at: toTimestamp(found.created_at), previous_config: previous?.config ?? null }
  })
  bus.respond(createWorkflowByUser, (request) => createWorkflowFor(operations, request))
  bus.respond(editWorkflow, (request) => saveWorkflow(operations, request))
  bus.respond(setDefaultWorkflow, (request) => setDefault(operations, request))
  bus.respond(archiveWorkflow, (request) => archiveOne(operations, request))
  bus.respond(simulateRequest, (request) => simulateWorkflow(operations, request))
}
