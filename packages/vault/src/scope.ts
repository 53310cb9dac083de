/** The owner of the data: every file and value is bound to an app and a session. */
export type Scope = { app_id: string; session_id: string }
export type AppScope = { app_id: string }

// Ids become path segments. They start with a letter or digit, so that `..` and hidden names are impossible.
const idPattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/
const objectIdPattern = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/
const contextPattern = /^[a-z0-9][a-z0-9_.-]{0,127}$/

function checked(pattern: RegExp, value: string, what: string): string {
  // A programming error and not a state of the data, because ids are generated here and validated at the API boundary.
  if (typeof value !== 'string' || !pattern.test(value)) throw new TypeError(`${what} is not a valid id.`)
  return value
}

export const checkApp = (app_id: string): string => checked(idPattern, app_id, 'app_id')
export const checkObjectId = (objectId: string): string => checked(objectIdPattern, objectId, 'object_id')
export const checkContext = (context: string): string => checked(contextPattern, context, 'context')
export function checkScope(scope: Scope): Scope {
  return { app_id: checkApp(scope.app_id), session_id: checked(idPattern, scope.session_id, 'session_id') }
}
export const scopeKey = (scope: Scope): string => `${scope.app_id}/${scope.session_id}`

/** Object names of everything in the store. */
export const names = {
  apps: 'apps',
  appRoot: (app_id: string) => `apps/${app_id}/root`,
  appKeys: (app_id: string) => `apps/${app_id}/keys`,
  appKey: (app_id: string, version: number) => `apps/${app_id}/keys/${version}`,
  sessions: (app_id: string) => `apps/${app_id}/sessions`,
  session: (scope: Scope) => `apps/${scope.app_id}/sessions/${scope.session_id}`,
  sessionKey: (scope: Scope) => `apps/${scope.app_id}/sessions/${scope.session_id}/key`,
  objects: (scope: Scope) => `apps/${scope.app_id}/sessions/${scope.session_id}/objects`,
  object: (scope: Scope, objectId: string) =>
    `apps/${scope.app_id}/sessions/${scope.session_id}/objects/${objectId}`,
  keyChecks: 'key-checks',
  keyCheck: (fingerprint: string) => `key-checks/${fingerprint}`,
  heads: (log: string) => `log-heads/${log}`,
  head: (log: string, seq: number) => `log-heads/${log}/${seq}`,
  ledger: 'purge-ledger',
  ledgerOf: (app_id: string) => `purge-ledger/${app_id}`,
  ledgerEntry: (scope: Scope) => `purge-ledger/${scope.app_id}/${scope.session_id}`,
}

/**
 * Joins parts unambiguously: each part is preceded by its length (uint16, big endian), as in the structures of TLS 1.3,
 * so no two different lists give the same bytes.
 */
export function lengthPrefixed(...parts: readonly (string | Uint8Array)[]): Buffer {
  const pieces: Buffer[] = []
  for (const part of parts) {
    const bytes = typeof part === 'string' ? Buffer.from(part, 'utf8') : Buffer.from(part)
    if (bytes.length > 0xffff) throw new RangeError('A part of associated data is too long.')
    const length = Buffer.alloc(2)
    length.writeUInt16BE(bytes.length)
    pieces.push(length, bytes)
  }
  return Buffer.concat(pieces)
}
