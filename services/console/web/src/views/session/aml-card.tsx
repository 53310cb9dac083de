import type { AmlMatch, MatchVerdict } from '@kyc/common'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useReasonAgainst } from '../../api/account.ts'
import { api } from '../../api/client.ts'
import { type SessionDetail, sessionQuery } from '../../api/sessions.ts'
import { notify } from '../../app/notices.tsx'
import { useShortcuts } from '../../app/shortcuts.ts'
import { formatScore } from '../../lib/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/page.tsx'
import { useAction } from '../../ui/use-action.ts'
import styles from './aml.module.css'
import { AmlMatchView } from './aml-match.tsx'
import { checkOf, dataOf } from './check-data.ts'

export const verdictOf = (match: AmlMatch) => match.review?.status ?? 'unreviewed'

/** The sanctions matches, shown one at a time, each with its own verdict. */
export function AmlCard({ appId, detail }: { appId: string; detail: SessionDetail }) {
  const check = checkOf(detail.decision.checks, 'aml')
  const { matches = [], lists = [], screened_name } = dataOf(check, 'aml')
  const [index, setIndex] = useState(0)
  const heading = useRef<HTMLHeadingElement>(null)
  const client = useQueryClient()
  const against = useReasonAgainst()
  const match = matches[Math.min(index, matches.length - 1)]
  const open = matches.filter((item) => verdictOf(item) === 'unreviewed').length
  const reason =
    against('aml_match.review') ??
    (detail.session.status === 'in_review' ? null : 'Verdicts are given while the session is in review')

  const go = (next: number) => {
    setIndex((next + matches.length) % matches.length)
    heading.current?.focus()
  }
  const [judge, judging] = useAction(async (verdict: MatchVerdict, note: string) => {
    if (!match || reason) return
    const answer = await api.post(
      '/console/api/apps/:app_id/sessions/:session_id/aml-matches/:match_id/review',
      {
        params: { app_id: appId, session_id: detail.session.session_id, match_id: match.match_id },
        body: { verdict, note: note === '' ? null : note },
      },
    )
    client.setQueryData(sessionQuery(appId, detail.session.session_id).queryKey, answer)
    notify(`Verdict kept for ${match.name}.`)
  })
  const noteField = useRef<HTMLInputElement>(null)
  const judgeNow = (verdict: MatchVerdict) => {
    judge(verdict, noteField.current?.value.trim() ?? '')
  }
  useShortcuts(
    matches.length === 0
      ? []
      : [
          { keys: 'm', label: 'Next AML match', run: () => go(index + 1) },
          { keys: '1', label: 'AML match: true match', run: () => judgeNow('true_positive') },
          { keys: '2', label: 'AML match: false match', run: () => judgeNow('false_positive') },
          { keys: '3', label: 'AML match: inconclusive', run: () => judgeNow('inconclusive') },
        ],
  )
  if (!check || (matches.length === 0 && lists.length === 0)) return null
  return (
    <Card
      title="Sanctions matches"
      actions={
        matches.length > 0 && (
          <Badge tone={open > 0 ? 'warn' : 'ok'}>
            {open > 0 ? `${open} of ${matches.length} without a verdict` : 'All have a verdict'}
          </Badge>
        )
      }
    >
      {matches.length > 1 && (
        <ol className={styles.tabs}>
          {matches.map((item, position) => (
            <li key={item.match_id}>
              <button
                type="button"
                className={styles.tab}
                aria-current={item === match ? 'true' : undefined}
                onClick={() => go(position)}
              >
                {item.name}{' '}
                <span className="muted">
                  {formatScore(item.score)}
                  {verdictOf(item) === 'unreviewed' ? '' : ', reviewed'}
                </span>
              </button>
            </li>
          ))}
        </ol>
      )}
      {match ? (
        <>
          <h3 ref={heading} tabIndex={-1} className={styles.heading}>
            {matches.length > 1 && (
              <span className="muted">
                {Math.min(index, matches.length - 1) + 1} of {matches.length}{' '}
              </span>
            )}
            {match.name}
          </h3>
          <AmlMatchView
            match={match}
            screenedName={screened_name ?? detail.decision.identity.full_name}
            identity={detail.decision.identity}
          />
          <fieldset className={styles.verdict}>
            <legend className="visually-hidden">Verdict on {match.name}</legend>
            <input
              ref={noteField}
              key={match.match_id}
              className={styles.note}
              aria-label="Note on this match"
              placeholder="Note (optional)"
              maxLength={2000}
              defaultValue={match.review?.note ?? ''}
            />
            {(
              [
                ['true_positive', 'True match', '1'],
                ['false_positive', 'False match', '2'],
                ['inconclusive', 'Inconclusive', '3'],
              ] as const
            ).map(([verdict, label, key]) => (
              <Button
                key={verdict}
                shortcut={key}
                variant={verdictOf(match) === verdict ? 'primary' : 'plain'}
                aria-pressed={verdictOf(match) === verdict}
                reason={reason}
                busy={judging}
                onClick={() => judgeNow(verdict)}
              >
                {label}
              </Button>
            ))}
          </fieldset>
        </>
      ) : (
        <p>No match.</p>
      )}
      {lists.length > 0 && (
        <p className="muted">
          Screened against {lists.map(({ list, version }) => `${list} (${version})`).join(', ')}.
        </p>
      )}
    </Card>
  )
}
