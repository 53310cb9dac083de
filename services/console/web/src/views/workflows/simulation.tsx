import type { Answer } from '@kyc/web-kit'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useFormContext } from 'react-hook-form'
import { api, type Console } from '../../api/client.ts'
import { checkName, formatNumber, wordsOfCode } from '../../lib/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/page.tsx'
import { StatusBadge } from '../../ui/session-badges.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { useAction } from '../../ui/use-action.ts'
import type { FormInput, FormOutput } from './form.ts'

type Result = Answer<Console, 'post', '/console/api/apps/:app_id/workflows/:workflow_id/simulate'>
type Props = { appId: string; workflowId: string; reason: string | null }

/** The decisions that the settings in the form would have made on past sessions. Changes nothing. */
export function Simulation({ appId, workflowId, reason }: Props) {
  const form = useFormContext<FormInput, unknown, FormOutput>()
  const [result, setResult] = useState<Result>()
  const [simulate, busy] = useAction(async (config: FormOutput['config']) => {
    setResult(
      await api.post('/console/api/apps/:app_id/workflows/:workflow_id/simulate', {
        params: { app_id: appId, workflow_id: workflowId },
        body: { config, sessions: 200 },
      }),
    )
  })
  const nameOf = (kind: string) => (kind in checkName ? checkName[kind as keyof typeof checkName] : kind)
  return (
    <Card
      title="Simulate"
      actions={
        <Button
          busy={busy}
          reason={reason}
          onClick={() => void form.handleSubmit(({ config }) => simulate(config))()}
        >
          Simulate on past sessions
        </Button>
      }
    >
      {!result && (
        <p className="muted">
          Runs these settings, saved or not, over what the checks of the last 200 sessions found. No session
          changes.
        </p>
      )}
      {result && (
        <div role="status">
          <p>
            <strong>
              {formatNumber(result.changed)} of {formatNumber(result.sessions)} outcomes change.
            </strong>{' '}
            {result.undetermined > 0 &&
              `${formatNumber(result.undetermined)} cannot be told: these settings ask for something that was not looked at then.`}
          </p>
        </div>
      )}
      {result && result.differences.length > 0 && (
        <Table
          caption="Sessions whose outcome would differ"
          rows={result.differences}
          rowKey={({ session_id }) => session_id}
          columns={[
            {
              name: 'Session',
              cell: ({ session_id }) => (
                <Link
                  to="/apps/$appId/sessions/$sessionId"
                  params={{ appId, sessionId: session_id }}
                  className="id"
                >
                  {session_id.slice(0, 12)}…
                </Link>
              ),
            },
            { name: 'Decided', cell: ({ decided_at }) => <Time at={decided_at} /> },
            { name: 'Then', cell: ({ before }) => <Outcome {...before} /> },
            {
              name: 'With these settings',
              cell: ({ after }) => (after ? <Outcome {...after} /> : <Badge>Cannot be told</Badge>),
            },
            {
              name: 'Checks',
              cell: ({ checks }) =>
                checks
                  .map(({ kind, before, after }) => `${nameOf(kind)}: ${before} → ${after ?? 'unknown'}`)
                  .join(', ') || '–',
            },
          ]}
        />
      )}
    </Card>
  )
}

const Outcome = ({ status, decision_reason }: Result['differences'][number]['before']) => (
  <>
    <StatusBadge status={status} />
    {decision_reason && <div className="muted">{wordsOfCode(decision_reason)}</div>}
  </>
)
