import type { Check, CheckKind } from '@kyc/common'
import { Link } from '@tanstack/react-router'
import type { SessionDetail } from '../../api/sessions.ts'
import { useAppId } from '../../app/app-choice.ts'
import { checkName, checkTone, formatScore, severityTone, wordsOfCode } from '../../lib/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/page.tsx'
import { dataOf } from './check-data.ts'
import styles from './checks.module.css'
import { ScoreBar } from './score-bar.tsx'

/** The minimum score to pass this check in this workflow; null if the score has no threshold. */
function passScore(kind: CheckKind, { config }: SessionDetail['workflow']): number | null {
  if (kind === 'liveness') return config.steps.liveness.pass
  if (kind === 'face_match') return config.steps.face_match.threshold
  return null
}

export const ChecksCard = ({ detail }: { detail: SessionDetail }) => (
  <Card title="Checks">
    {detail.decision.checks.length === 0 && <p className="muted">None has run yet.</p>}
    <ul className={styles.checks}>
      {detail.decision.checks.map((check) => (
        <CheckRow key={check.kind} check={check} detail={detail} />
      ))}
    </ul>
  </Card>
)

function CheckRow({ check, detail }: { check: Check; detail: SessionDetail }) {
  const threshold = passScore(check.kind, detail.workflow)
  return (
    <li className={styles.check}>
      <div className={styles.line}>
        <h3>{checkName[check.kind]}</h3>
        <Badge tone={checkTone[check.status]}>{wordsOfCode(check.status)}</Badge>
        {check.score !== null && (
          <ScoreBar name={checkName[check.kind]} score={check.score} threshold={threshold} />
        )}
      </div>
      {check.warnings.map((warning) => {
        const words = detail.warning_texts[warning.code]
        return (
          <div key={`${warning.code} ${warning.field ?? ''}`} className={styles.warning}>
            <div>
              <Badge tone={severityTone[warning.severity]}>{warning.severity}</Badge>{' '}
              <strong>{words?.title ?? wordsOfCode(warning.code)}</strong>
              {warning.field && <span className="muted"> · {wordsOfCode(warning.field)}</span>}
            </div>
            <p>{words?.explanation ?? warning.message}</p>
            {words?.advice && <p className="muted">{words.advice}</p>}
          </div>
        )
      })}
      {check.kind === 'duplicate' && <Duplicates check={check} />}
      {check.kind === 'document' && <CheckDigits check={check} />}
      {check.engine && (
        <p className={styles.engine}>
          {check.engine.name} {check.engine.version}
          {check.attempts > 1 && ` · ${check.attempts} attempts`}
        </p>
      )}
    </li>
  )
}

function CheckDigits({ check }: { check: Check }) {
  const { check_digits: digits, format } = dataOf(check, 'document')
  const present = Object.entries(digits ?? {}).filter(([, holds]) => holds !== null)
  if (present.length === 0) return null
  return (
    <p className={styles.digits}>
      {format && <span className="muted">{format.toUpperCase()} check digits</span>}
      {present.map(([name, holds]) => (
        <Badge key={name} tone={holds ? 'ok' : 'bad'}>
          {wordsOfCode(name)}
        </Badge>
      ))}
    </p>
  )
}

function Duplicates({ check }: { check: Check }) {
  const appId = useAppId()
  const { document_matches = [], face_matches = [] } = dataOf(check, 'duplicate')
  const rows = [
    ...document_matches.map((match) => ({ ...match, what: 'same document' })),
    ...face_matches.map((match) => ({ ...match, what: `similar face, ${formatScore(match.similarity)}` })),
  ]
  if (rows.length === 0) return null
  return (
    <ul className={styles.duplicates}>
      {rows.map(({ session_id, status, what }) => (
        <li key={`${session_id} ${what}`}>
          <Link
            to="/apps/$appId/sessions/$sessionId"
            params={{ appId, sessionId: session_id }}
            className="id"
          >
            {session_id.slice(0, 12)}…
          </Link>{' '}
          {what}, {wordsOfCode(status).toLowerCase()}
        </li>
      ))}
    </ul>
  )
}
