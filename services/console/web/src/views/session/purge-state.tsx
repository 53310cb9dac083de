import type { SessionDetail } from '../../api/sessions.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/page.tsx'
import { ExactTime } from '../../ui/time.tsx'

/** When the session was purged, and which services have confirmed that no data is left. */
type Props = { purge: NonNullable<SessionDetail['purge']>; onRefresh: () => void }

export const PurgeState = ({ purge, onRefresh }: Props) => (
  <Card title="Purged" actions={<Button onClick={onRefresh}>Look again</Button>}>
    <p>
      Purged on <ExactTime at={purge.purged_at} />.{' '}
      {purge.completed_at ? (
        <Badge tone="ok">Every service confirmed</Badge>
      ) : (
        <Badge tone="info">{purge.confirmations.length} services confirmed so far</Badge>
      )}
    </p>
    <ul>
      {purge.confirmations.map(({ service, deleted, confirmed_at }) => (
        <li key={service}>
          {service}:{' '}
          {Object.entries(deleted)
            .map(([what, count]) => `${count} ${what.replace(/_/g, ' ')}`)
            .join(', ') || 'nothing kept'}{' '}
          <span className="muted">
            (<ExactTime at={confirmed_at} />)
          </span>
        </li>
      ))}
    </ul>
  </Card>
)
