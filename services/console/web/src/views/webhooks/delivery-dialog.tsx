import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useReasonAgainst } from '../../api/account.ts'
import { api } from '../../api/client.ts'
import { notify } from '../../app/notices.tsx'
import { wordsOfCode } from '../../lib/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Failed, Loading } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { ExactTime, Time } from '../../ui/time.tsx'
import { useAction } from '../../ui/use-action.ts'
import { deliveryTone } from './webhooks-page.tsx'

type Props = { appId: string; deliveryId: string; onClose: () => void; onChange: () => void }

/** One delivery with its attempts and the receiver's responses. */
export function DeliveryDialog({ appId, deliveryId, onClose, onChange }: Props) {
  const client = useQueryClient()
  const against = useReasonAgainst()
  const params = { app_id: appId, delivery_id: deliveryId }
  const queryKey = ['app', appId, 'deliveries', 'one', deliveryId]
  const query = useQuery({
    queryKey,
    queryFn: () => api.get('/console/api/apps/:app_id/deliveries/:delivery_id', { params }),
  })
  const [redeliver, busy] = useAction(async () => {
    client.setQueryData(
      queryKey,
      await api.post('/console/api/apps/:app_id/deliveries/:delivery_id/redeliver', { params }),
    )
    notify('It is sent again.')
    onChange()
  })
  const delivery = query.data
  return (
    <Dialog title="Delivery" open onClose={onClose} wide>
      <p className="id">{deliveryId}</p>
      {query.isPending && <Loading what="the delivery" />}
      {query.isError && <Failed error={query.error} retry={() => void query.refetch()} />}
      {delivery && (
        <>
          <p>
            <code>{delivery.event}</code>{' '}
            <Badge tone={deliveryTone[delivery.status]}>{wordsOfCode(delivery.status)}</Badge>
            {delivery.next_attempt_at && (
              <>
                {' '}
                next attempt <Time at={delivery.next_attempt_at} />
              </>
            )}
          </p>
          {delivery.attempts.length === 0 ? (
            <p className="muted">No attempt yet.</p>
          ) : (
            <Table
              caption="Attempts"
              rows={delivery.attempts}
              rowKey={({ number }) => String(number)}
              columns={[
                { name: 'No.', number: true, cell: ({ number }) => number },
                { name: 'At', cell: ({ at }) => <ExactTime at={at} /> },
                { name: 'Code', cell: ({ status_code }) => status_code ?? '–' },
                { name: 'Error', cell: ({ error }) => error ?? '–' },
                {
                  name: 'Answer',
                  cell: ({ response_excerpt }) => (response_excerpt ? <code>{response_excerpt}</code> : '–'),
                },
                { name: 'Took', number: true, cell: ({ duration_ms }) => `${duration_ms} ms` },
              ]}
            />
          )}
        </>
      )}
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
        <Button
          variant="primary"
          busy={busy}
          reason={against('delivery.redeliver') ?? (delivery ? null : 'Not loaded yet')}
          onClick={redeliver}
        >
          Redeliver
        </Button>
      </DialogActions>
    </Dialog>
  )
}
