import type { SessionStatus, Severity } from '@kyc/common'
import { severityTone, statusTone, wordsOfCode } from '../lib/words.ts'
import { Badge } from './badge.tsx'

export const StatusBadge = ({ status }: { status: SessionStatus }) => (
  <Badge tone={statusTone[status]}>{wordsOfCode(status)}</Badge>
)

/** The number of warnings and the highest severity. */
export const WarningsBadge = ({ count, worst }: { count: number; worst: Severity | null }) =>
  count === 0 || worst === null ? (
    <>–</>
  ) : (
    <Badge tone={severityTone[worst]}>
      {count} {worst}
    </Badge>
  )
