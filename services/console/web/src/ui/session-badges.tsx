import type { SessionStatus, Severity } from '@kyc/common'
import { severityTone, statusTone, wordsOfCode } from '../lib/words.ts'
import { Badge } from './badge.tsx'

export const StatusBadge = ({ status }: { status: SessionStatus }) => (
  <Badge tone={statusTone[status]}>{wordsOfCode(status)}</Badge>
)

/** How many warnings count, and how bad the worst is, in a word. */
export const WarningsBadge = ({ count, worst }: { count: number; worst: Severity | null }) =>
  count === 0 || worst === null ? (
    <>–</>
  ) : (
    <Badge tone={severityTone[worst]}>
      {count} {worst}
    </Badge>
  )
