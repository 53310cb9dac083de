import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useRef } from 'react'
import { api } from '../../api/client.ts'
import { type SessionDetail, sessionQuery } from '../../api/sessions.ts'
import { wordsOfCode } from '../../lib/words.ts'
import { Button } from '../../ui/button.tsx'
import { TextArea } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { useAction } from '../../ui/use-action.ts'
import styles from './notes.module.css'

type Props = { appId: string; detail: SessionDetail; fieldRef: RefObject<HTMLTextAreaElement | null> }

/** Notes of the reviewers, and the decisions made so far. */
export function NotesCard({ appId, detail, fieldRef }: Props) {
  const client = useQueryClient()
  const form = useRef<HTMLFormElement>(null)
  const sessionId = detail.session.session_id
  const [add, busy] = useAction(async (text: string) => {
    await api.post('/console/api/apps/:app_id/sessions/:session_id/notes', {
      params: { app_id: appId, session_id: sessionId },
      body: { text },
    })
    form.current?.reset()
    await client.invalidateQueries({ queryKey: sessionQuery(appId, sessionId).queryKey })
  })
  const entries = [
    ...detail.notes.map(({ id, at, name, text }) => ({ id, at, who: name ?? 'A colleague', text, what: '' })),
    ...detail.reviews.map(({ at, actor, status, reason, note }) => ({
      id: `review ${at}`,
      at,
      who: actor.name ?? (actor.type === 'api_key' ? 'Your backend' : 'A colleague'),
      what: `${status === 'in_progress' ? 'asked for another try' : status}${reason ? `: ${wordsOfCode(reason).toLowerCase()}` : ''}`,
      text: note ?? '',
    })),
  ].sort((a, b) => a.at.localeCompare(b.at))
  return (
    <Card title="Notes and decisions">
      {entries.length === 0 && <p className="muted">Nobody has written anything yet.</p>}
      <ul className={styles.notes}>
        {entries.map(({ id, at, who, what, text }) => (
          <li key={id}>
            <div className="muted">
              {who} {what} · <Time at={at} />
            </div>
            {text && <p className={styles.text}>{text}</p>}
          </li>
        ))}
      </ul>
      {detail.purge === null && (
        <form
          ref={form}
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault()
            const text = String(new FormData(event.currentTarget).get('text')).trim()
            if (text !== '') add(text)
          }}
        >
          <TextArea
            ref={fieldRef}
            label="New note"
            name="text"
            maxLength={2000}
            required
            aria-keyshortcuts="n"
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.current?.requestSubmit()
              if (event.key === 'Escape') event.currentTarget.blur()
            }}
          />
          <Button type="submit" busy={busy}>
            Add note
          </Button>
        </form>
      )}
    </Card>
  )
}
