/** The scope of all data stored here: one session of one app. */
export type Scope = { app_id: string; session_id: string }

export const scopeOf = ({ app_id, session_id }: Scope): Scope => ({ app_id, session_id })
