import type { Assignment, EventActor, SessionStatus } from '@kyc/common'

/** Why a change was rejected, as the session service reports it. */
export type LostChange = {
  status: SessionStatus
  review: { status: 'approved' | 'declined' | 'in_progress'; actor: EventActor; at: string } | null
  assignment: Assignment | null
}

const verbs = { approved: 'approved', declined: 'declined', in_progress: 'asked for another try on' } as const

/** The message for the reviewer who lost the conflict. `nameOf` returns null for an unknown user. */
export function explainLostChange(
  lost: LostChange,
  attempt: 'assign' | 'change',
  nameOf: (userId: string) => string | null,
): string {
  const { review, assignment, status } = lost
  if (attempt === 'assign' && status === 'in_review' && assignment) {
    const holder = nameOf(assignment.user_id) ?? 'Another reviewer'
    return `${holder} holds this session until ${assignment.held_until}. Take it over to work on it.`
  }
  if (status === 'in_review') return 'This session has changed since you opened it. Look at it again.'
  if (review && review.status === status) {
    return `${reviewerOf(review.actor, nameOf)} ${verbs[review.status]} this session at ${review.at}.`
  }
  return `The session is ${status}.`
}

function reviewerOf(actor: EventActor, nameOf: (userId: string) => string | null): string {
  if (actor.type === 'api_key') return 'A client of the API'
  return (actor.id && nameOf(actor.id)) || 'Another reviewer'
}
