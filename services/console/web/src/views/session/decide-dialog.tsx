import type { DecisionReason } from '@kyc/common'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api, isConflict } from '../../api/client.ts'
import { type SessionDetail, sessionQuery } from '../../api/sessions.ts'
import { notify } from '../../app/notices.tsx'
import { declineReasons } from '../../lib/reasons.ts'
import { checkName, severityTone, wordsOfCode } from '../../lib/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { SelectField, TextArea } from '../../ui/field.tsx'
import { pageStyles } from '../../ui/page.tsx'
import { wordsOf } from '../../ui/states.tsx'
import { useAction } from '../../ui/use-action.ts'

export type Act = 'approve' | 'decline' | 'retry'

const words = {
  approve: { title: 'Approve this session', button: 'Approve', done: 'Approved.', variant: 'primary' },
  decline: { title: 'Decline this session', button: 'Decline', done: 'Declined.', variant: 'danger' },
  retry: {
    title: 'Ask for another try',
    button: 'Open it again',
    done: 'The person can go through the steps again with the same link.',
    variant: 'primary',
  },
} as const

type Props = { act: Act; appId: string; detail: SessionDetail; onClose: () => void }

/**
 * Confirms a decision; nothing is shown as done until the server confirms it. On a conflict the dialog names who decided
 * first, and the session is fetched again.
 */
export function DecideDialog({ act, appId, detail, onClose }: Props) {
  const client = useQueryClient()
  // The decision is about the state that the user saw when the dialog opened, even if updates arrive since.
  const [sequence] = useState(detail.sequence)
  const [error, setError] = useState<string>()
  const [conflict, setConflict] = useState<string>()
  const form = useRef<HTMLFormElement>(null)
  const params = { app_id: appId, session_id: detail.session.session_id }
  const key = sessionQuery(appId, detail.session.session_id).queryKey
  const [decide, busy] = useAction(
    async (given: FormData) => {
      setError(undefined)
      const note = String(given.get('note') ?? '').trim() || null
      const answer =
        act === 'retry'
          ? await api.post('/console/api/apps/:app_id/sessions/:session_id/retry', {
              params,
              body: { sequence, note },
            })
          : await api.post('/console/api/apps/:app_id/sessions/:session_id/decision', {
              params,
              body: {
                status: act === 'approve' ? 'approved' : 'declined',
                sequence,
                note,
                reason: act === 'approve' ? null : (String(given.get('reason')) as DecisionReason),
              },
            })
      client.setQueryData(key, answer)
      void client.invalidateQueries({ queryKey: ['app', appId, 'queue'] })
      void client.invalidateQueries({ queryKey: ['app', appId, 'sessions'] })
      notify(words[act].done)
      onClose()
    },
    (failure) => {
      if (isConflict(failure)) {
        setConflict(wordsOf(failure))
        void client.invalidateQueries({ queryKey: key })
      } else {
        setError(wordsOf(failure))
      }
    },
  )
  const open = detail.decision.checks.flatMap((check) =>
    check.warnings
      .filter(({ severity }) => severity !== 'low')
      .map((warning) => ({ ...warning, check: checkName[check.kind] })),
  )
  const titleOf = (code: string) => detail.warning_texts[code]?.title ?? wordsOfCode(code)
  if (conflict) {
    return (
      <Dialog title="Somebody was faster" open onClose={onClose}>
        <p role="alert">{conflict}</p>
        <DialogActions>
          <Button variant="primary" onClick={onClose} autoFocus>
            See the session as it is now
          </Button>
        </DialogActions>
      </Dialog>
    )
  }
  return (
    <Dialog title={words[act].title} open onClose={onClose}>
      {open.length > 0 && (
        <div>
          <p>{act === 'approve' ? 'You approve in spite of:' : 'The checks found:'}</p>
          <ul>
            {open.map(({ code, severity, check, field }) => (
              <li key={`${check} ${code} ${field ?? ''}`}>
                <Badge tone={severityTone[severity]}>{severity}</Badge> {check}: {titleOf(code)}
              </li>
            ))}
          </ul>
        </div>
      )}
      <form
        ref={form}
        className={pageStyles.form}
        onSubmit={(event) => {
          event.preventDefault()
          decide(new FormData(event.currentTarget))
        }}
      >
        {act === 'decline' && (
          <SelectField
            label="Reason"
            name="reason"
            required
            autoFocus
            defaultValue=""
            options={[
              ['', 'Choose a reason'],
              ...declineReasons.map((code) => [code, wordsOfCode(code)] as const),
            ]}
          />
        )}
        <TextArea
          label={act === 'retry' ? 'Note for colleagues: what should be better' : 'Note'}
          name="note"
          maxLength={2000}
          autoFocus={act !== 'decline'}
          hint="Ctrl Enter decides."
          error={error}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.current?.requestSubmit()
          }}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant={words[act].variant} busy={busy}>
            {words[act].button}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
