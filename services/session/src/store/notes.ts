import type { Sql } from '@kyc/runtime'

export type NoteRow = {
  id: string
  app_id: string
  session_id: string
  author_id: string
  at: Date
  sealed_text: Buffer
}

export async function insertNote(sql: Sql, note: NoteRow): Promise<void> {
  await sql.query(
    `INSERT INTO session_note (id, app_id, session_id, author_id, at, sealed_text)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [note.id, note.app_id, note.session_id, note.author_id, note.at, note.sealed_text],
  )
}

/** Oldest first. */
export async function findNotes(sql: Sql, sessionId: string): Promise<NoteRow[]> {
  const { rows } = await sql.query<NoteRow>(
    'SELECT * FROM session_note WHERE session_id = $1 ORDER BY at, id',
    [sessionId],
  )
  return rows
}
