/** Whose data it is: everything kept here belongs to one session of one app. */
export type Scope = { app_id: string; session_id: string }

export const scopeOf = ({ app_id, session_id }: Scope): Scope => ({ app_id, session_id })
