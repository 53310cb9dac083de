import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useAccount, useReasonAgainst } from '../../api/account.ts'
import { api, isConflict } from '../../api/client.ts'
import { type SessionDetail, sessionQuery } from '../../api/sessions.ts'
import { notify, notifyError } from '../../app/notices.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import { useAction } from '../../ui/use-action.ts'

/** Holding a session is advisory: another user may take it over knowingly. */
export function useHold(appId: string, { session }: SessionDetail) {
  const client = useQueryClient()
  const { user } = useAccount()
  const [taken, setTaken] = useState<string | null>(null)
  const params = { app_id: appId, session_id: session.session_id }
  const assign = async (userId: string | null, takeOver = false) => {
    await api.post('/console/api/apps/:app_id/sessions/:session_id/assignment', {
      params,
      body: { user_id: userId, take_over: takeOver },
    })
    setTaken(null)
    notify(userId === null ? 'The session is free again.' : 'The session is yours.')
    await client.invalidateQueries({ queryKey: sessionQuery(appId, session.session_id).queryKey })
  }
  const [take] = useAction(
    () => assign(user.id),
    (error) => (isConflict(error) ? setTaken(error.message) : notifyError(error)),
  )
  const [takeOver, busy] = useAction(() => assign(user.id, true))
  const [release] = useAction(() => assign(null))
  return { take, takeOver, release, busy, taken, forget: () => setTaken(null) }
}
export type Hold = ReturnType<typeof useHold>

type Props = { appId: string; detail: SessionDetail; hold: Hold }

/** Infrequent actions, with their dialogs. */
export function MoreActions({ appId, detail, hold }: Props) {
  const { session } = detail
  const client = useQueryClient()
  const { user } = useAccount()
  const against = useReasonAgainst()
  const [purging, setPurging] = useState(false)
  const params = { app_id: appId, session_id: session.session_id }
  const key = sessionQuery(appId, session.session_id).queryKey
  const inReview = session.status === 'in_review' ? null : 'Only in review'
  const notPurged = detail.purge === null ? null : 'Purged'
  const [rescreen] = useAction(async () => {
    client.setQueryData(
      key,
      await api.post('/console/api/apps/:app_id/sessions/:session_id/rescreen', { params }),
    )
    notify('Screened again on the lists of today.')
  })
  const [purge, isPurging] = useAction(async () => {
    await api.delete('/console/api/apps/:app_id/sessions/:session_id', { params })
    setPurging(false)
    notify('The personal data of this session is being destroyed.')
    await client.invalidateQueries({ queryKey: ['app', appId] })
  })
  const [block] = useAction(async (kind: 'face' | 'document') => {
    await api.post('/console/api/apps/:app_id/block-list', {
      params: { app_id: appId },
      body: { session_id: session.session_id, kind },
    })
    notify(`This ${kind} is refused from now on.`)
  })
  const report = (evidence: boolean) =>
    window.open(
      `/console/api/apps/${appId}/sessions/${session.session_id}/report?evidence=${evidence}`,
      '_blank',
      'noopener',
    )
  const mine = session.assignment?.user_id === user.id
  return (
    <>
      <Menu
        icon
        ariaLabel="More actions"
        label={<Icon name="more" />}
        entries={[
          mine
            ? { id: 'release', label: 'Let go', reason: inReview, onChoose: hold.release }
            : { id: 'take', label: 'Assign to me', reason: inReview, onChoose: hold.take },
          { id: 'report', label: 'Report to print', onChoose: () => report(false) },
          {
            id: 'report-evidence',
            label: 'Report with pictures',
            reason: against('evidence.read') ?? notPurged,
            onChoose: () => report(true),
          },
          {
            id: 'rescreen',
            label: 'Screen the name again',
            reason: against('session.rescreen') ?? notPurged,
            onChoose: rescreen,
          },
          ...(['face', 'document'] as const).map((kind) => ({
            id: `block-${kind}`,
            label: `Refuse this ${kind}`,
            reason: against('block_list.write') ?? notPurged,
            onChoose: () => block(kind),
          })),
          {
            id: 'purge',
            label: 'Purge…',
            reason: against('session.purge') ?? notPurged,
            onChoose: () => setPurging(true),
          },
        ]}
      />
      <Dialog title="Somebody else holds this session" open={hold.taken !== null} onClose={hold.forget}>
        <p>{hold.taken}</p>
        <DialogActions>
          <Button onClick={hold.forget}>Leave it</Button>
          <Button variant="primary" busy={hold.busy} onClick={hold.takeOver}>
            Take it over
          </Button>
        </DialogActions>
      </Dialog>
      <Dialog title="Purge this session" open={purging} onClose={() => setPurging(false)}>
        <p>
          Pictures, identity and everything read of the person are destroyed in every service, for good.
          Status, reason, times and your reference stay.
        </p>
        <DialogActions>
          <Button onClick={() => setPurging(false)}>Cancel</Button>
          <Button variant="danger" busy={isPurging} onClick={purge}>
            Purge for good
          </Button>
        </DialogActions>
      </Dialog>
    </>
  )
}
