import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useAccount } from '../../api/account.ts'
import { isNotFound } from '../../api/client.ts'
import { type SessionDetail, sessionQuery } from '../../api/sessions.ts'
import { useAppId } from '../../app/app-choice.ts'
import { useShortcuts } from '../../app/shortcuts.ts'
import { wordsOfCode } from '../../lib/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { StatusBadge } from '../../ui/session-badges.tsx'
import { Empty, Failed, Loading } from '../../ui/states.tsx'
import { Age, Time } from '../../ui/time.tsx'
import { AmlCard } from './aml-card.tsx'
import { amlMatchesOf } from './check-data.ts'
import { ChecksCard } from './checks-card.tsx'
import { type Act, DecideDialog } from './decide-dialog.tsx'
import { EvidenceCard } from './evidence-card.tsx'
import { IdentityCard } from './identity-card.tsx'
import { MoreActions, useHold } from './more-actions.tsx'
import { NotesCard } from './notes-card.tsx'
import { PurgeState } from './purge-state.tsx'
import styles from './session.module.css'
import { TimelineCard } from './timeline-card.tsx'

/** One session: evidence, extracted data, checks, and the decision. */
export function SessionPage() {
  const appId = useAppId()
  const { sessionId } = useParams({ from: '/shell/apps/$appId/sessions/$sessionId' })
  const query = useQuery(sessionQuery(appId, sessionId))
  if (query.data)
    return <Loaded key={sessionId} detail={query.data} appId={appId} onRefresh={() => void query.refetch()} />
  return (
    <Page title="Session">
      {query.isPending ? (
        <Loading what="the session" />
      ) : isNotFound(query.error) ? (
        <Empty title="There is no such session in this app">
          <Link to="/apps/$appId/sessions" params={{ appId }}>
            All sessions
          </Link>
        </Empty>
      ) : (
        <Failed error={query.error} retry={() => void query.refetch()} />
      )}
    </Page>
  )
}

type LoadedProps = { detail: SessionDetail; appId: string; onRefresh: () => void }

function Loaded({ detail, appId, onRefresh }: LoadedProps) {
  const { session, decision } = detail
  const { user } = useAccount()
  const [act, setAct] = useState<Act | null>(null)
  const noteField = useRef<HTMLTextAreaElement>(null)
  const hold = useHold(appId, detail)
  const reviewable = session.status === 'in_review'
  const open = amlMatchesOf(decision.checks).filter(
    ({ review }) => (review?.status ?? 'unreviewed') === 'unreviewed',
  )
  const closed = !reviewable && `This session is ${wordsOfCode(session.status).toLowerCase()}`
  const unread =
    open.length > 0 &&
    `${open.length} sanctions ${open.length === 1 ? 'match has' : 'matches have'} no verdict yet`
  const start = (next: Act, reason: string | false) => {
    if (!reason) setAct(next)
  }
  useShortcuts([
    { keys: 'a', label: 'Approve', run: () => start('approve', closed || unread) },
    { keys: 'd', label: 'Decline', run: () => start('decline', closed) },
    { keys: 'r', label: 'Ask for another try', run: () => start('retry', closed) },
    { keys: 'i', label: 'Assign to me', run: () => reviewable && hold.take() },
    { keys: 'n', label: 'Write a note', run: () => noteField.current?.focus() },
  ])
  const holder = session.assignment
  return (
    <Page
      title={`Session ${session.session_id.slice(0, 12)}`}
      heading={<span className="id">{session.session_id}</span>}
      actions={
        <>
          <Button variant="primary" shortcut="a" onClick={() => setAct('approve')} reason={closed || unread}>
            Approve
          </Button>
          <Button variant="danger" shortcut="d" onClick={() => setAct('decline')} reason={closed}>
            Decline
          </Button>
          <Button shortcut="r" onClick={() => setAct('retry')} reason={closed}>
            Ask for another try
          </Button>
          <MoreActions appId={appId} detail={detail} hold={hold} />
        </>
      }
    >
      <div className={styles.facts}>
        <StatusBadge status={session.status} />
        {session.decision_reason && <span>{wordsOfCode(session.decision_reason)}</span>}
        {session.in_review_since && (
          <span>
            waiting <Age since={session.in_review_since} />
          </span>
        )}
        <span>
          created <Time at={session.created_at} />
        </span>
        <span>
          {session.workflow_name} v{session.workflow_version}
        </span>
        {session.round > 1 && <Badge tone="info">Try {session.round}</Badge>}
        {session.vendor_data && <span>reference {session.vendor_data}</span>}
        {holder && (
          <Badge tone={holder.user_id === user.id ? 'ok' : 'warn'}>
            {holder.user_id === user.id ? 'Held by me' : `Held by ${holder.name ?? 'a colleague'}`}
          </Badge>
        )}
      </div>
      {detail.purge && <PurgeState purge={detail.purge} onRefresh={onRefresh} />}
      <div className={styles.columns}>
        <div className={styles.column}>
          <EvidenceCard
            appId={appId}
            sessionId={session.session_id}
            evidence={detail.evidence}
            purged={detail.purge !== null}
          />
          <AmlCard appId={appId} detail={detail} />
          <TimelineCard timeline={detail.timeline} />
        </div>
        <div className={styles.column}>
          <IdentityCard decision={decision} purged={detail.purge !== null} />
          <ChecksCard detail={detail} />
          <NotesCard appId={appId} detail={detail} fieldRef={noteField} />
        </div>
      </div>
      {act && <DecideDialog act={act} appId={appId} detail={detail} onClose={() => setAct(null)} />}
    </Page>
  )
}
