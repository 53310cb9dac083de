/** The state that each view stores in its URL. Invalid values are left out and never cause an error. */
type Raw = Record<string, unknown>

const text = (value: unknown, maximum = 256) =>
  typeof value === 'string' && value !== ''
    ? value.slice(0, maximum)
    : typeof value === 'number'
      ? String(value)
      : undefined
const oneOf =
  <T extends string>(...values: readonly T[]) =>
  (value: unknown): T | undefined =>
    values.find((item) => item === value)
const day = (value: unknown) =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : undefined
const positive = (value: unknown) =>
  Number.isInteger(value) && Number(value) > 0 ? Number(value) : undefined

export const login = (raw: Raw): { next?: string } => {
  const next = text(raw.next, 2000)
  // Only paths of this site, because any other target would make the login an open redirect.
  return next?.startsWith('/') && !next.startsWith('//') ? { next } : {}
}

export type QueueSearch = { assignee?: 'me' | 'none'; reason?: string; workflow?: string; waiting?: number }
export const queue = (raw: Raw): QueueSearch => ({
  assignee: oneOf('me', 'none')(raw.assignee),
  reason: text(raw.reason, 64),
  workflow: text(raw.workflow, 128),
  waiting: positive(raw.waiting),
})

export type SessionsSearch = {
  status?: string
  reason?: string
  warning?: string
  workflow?: string
  assignee?: 'me' | 'none'
  vendor_data?: string
  name?: string
  id?: string
  from?: string
  to?: string
}
export const sessions = (raw: Raw): SessionsSearch => ({
  status: text(raw.status),
  reason: text(raw.reason, 64),
  warning: text(raw.warning, 64),
  workflow: text(raw.workflow, 128),
  assignee: oneOf('me', 'none')(raw.assignee),
  vendor_data: text(raw.vendor_data),
  name: text(raw.name, 200),
  id: text(raw.id, 128),
  from: day(raw.from),
  to: day(raw.to),
})

export type AnalyticsSearch = { from?: string; to?: string; workflow?: string }
export const analytics = (raw: Raw): AnalyticsSearch => ({
  from: day(raw.from),
  to: day(raw.to),
  workflow: text(raw.workflow, 128),
})

export type DeliveriesSearch = {
  status?: 'pending' | 'delivering' | 'delivered' | 'failed'
  session?: string
  page?: number
  delivery?: string
}
export const deliveries = (raw: Raw): DeliveriesSearch => ({
  status: oneOf('pending', 'delivering', 'delivered', 'failed')(raw.status),
  session: text(raw.session, 128),
  page: positive(raw.page),
  delivery: text(raw.delivery, 128),
})

export type AuditSearch = {
  action?: string
  actor_type?: 'user' | 'api_key' | 'system' | 'end_user'
  actor_id?: string
  target?: string
  app?: string
  from?: string
  to?: string
}
export const audit = (raw: Raw): AuditSearch => ({
  action: text(raw.action, 128),
  actor_type: oneOf('user', 'api_key', 'system', 'end_user')(raw.actor_type),
  actor_id: text(raw.actor_id, 128),
  target: text(raw.target, 128),
  app: text(raw.app, 128),
  from: day(raw.from),
  to: day(raw.to),
})
