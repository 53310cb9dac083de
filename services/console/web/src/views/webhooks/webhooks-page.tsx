import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useReasonAgainst } from '../../api/account.ts'
import { api, type Got } from '../../api/client.ts'
import { useAppId } from '../../app/app-choice.ts'
import { notify } from '../../app/notices.tsx'
import type { DeliveriesSearch } from '../../app/search.ts'
import { wordsOfCode } from '../../lib/words.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Chip, Chips } from '../../ui/chips.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Failed, Loading } from '../../ui/states.tsx'
import { type Column, Pager, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useRows } from '../../ui/use-rows.ts'
import { DeliveryDialog } from './delivery-dialog.tsx'
import { Endpoint } from './endpoint.tsx'

export type Delivery = Got<'/console/api/apps/:app_id/deliveries'>['data'][number]

export const deliveryTone: Record<Delivery['status'], Tone> = {
  pending: 'info',
  delivering: 'info',
  delivered: 'ok',
  failed: 'bad',
}

const pageSize = 25

const deliveriesQuery = (appId: string, { status, session, page = 1 }: DeliveriesSearch) =>
  queryOptions({
    queryKey: ['app', appId, 'deliveries', { status, session, page }],
    queryFn: () =>
      api.get('/console/api/apps/:app_id/deliveries', {
        params: { app_id: appId },
        query: { status, session_id: session, page, page_size: pageSize },
      }),
  })

/** The webhook endpoint, and the deliveries with the receiver's responses. */
export function WebhooksPage() {
  const appId = useAppId()
  const search = useSearch({ from: '/shell/apps/$appId/webhooks' })
  const navigate = useNavigate()
  const client = useQueryClient()
  const against = useReasonAgainst()
  const list = useQuery({ ...deliveriesQuery(appId, search), placeholderData: keepPreviousData })
  const rows = list.data?.data ?? []
  const change = (next: DeliveriesSearch) =>
    void navigate({ to: '.', search: { ...search, ...next }, replace: true })
  const refresh = () => client.invalidateQueries({ queryKey: ['app', appId, 'deliveries'] })
  const [redeliverFailed, busy] = useAction(async () => {
    const { count } = await api.post('/console/api/apps/:app_id/deliveries/redeliver-failed', {
      params: { app_id: appId },
      body: { since: `${new Date(Date.now() - 7 * 86_400_000).toISOString().slice(0, 19)}Z` },
    })
    notify(count === 0 ? 'No delivery failed in the last 7 days.' : `${count} are sent again.`)
    await refresh()
  })
  const { current } = useRows(
    rows,
    ({ delivery_id }) => change({ delivery: delivery_id }),
    () => [],
  )
  const last = ({ attempts }: Delivery) => attempts.at(-1)
  const columns: readonly Column<Delivery>[] = [
    {
      name: 'Delivery',
      cell: ({ delivery_id }) => (
        <Button variant="quiet" onClick={() => change({ delivery: delivery_id })}>
          <span className="id">{delivery_id.slice(0, 12)}…</span>
        </Button>
      ),
    },
    { name: 'Event', cell: ({ event }) => <code>{event}</code> },
    {
      name: 'Session',
      cell: ({ session_id }) =>
        session_id ? (
          <Link
            to="/apps/$appId/sessions/$sessionId"
            params={{ appId, sessionId: session_id }}
            className="id"
          >
            {session_id.slice(0, 12)}…
          </Link>
        ) : (
          '–'
        ),
    },
    {
      name: 'Status',
      cell: ({ status }) => <Badge tone={deliveryTone[status]}>{wordsOfCode(status)}</Badge>,
    },
    { name: 'Attempts', number: true, cell: ({ attempts }) => attempts.length },
    { name: 'Last answer', cell: (row) => last(row)?.status_code ?? last(row)?.error ?? '–' },
    { name: 'Last attempt', cell: (row) => <Time at={last(row)?.at ?? null} /> },
    { name: 'Next', cell: ({ next_attempt_at }) => <Time at={next_attempt_at} /> },
  ]
  return (
    <Page title="Webhooks">
      <Endpoint appId={appId} onPing={refresh} />
      <Chips label="Filters of the deliveries">
        <h2>Deliveries</h2>
        {(['pending', 'delivered', 'failed'] as const).map((status) => (
          <Chip
            key={status}
            on={search.status === status}
            onChange={(on) => change({ status: on ? status : undefined, page: undefined })}
          >
            {wordsOfCode(status)}
          </Chip>
        ))}
        {search.session && (
          <Chip on onChange={() => change({ session: undefined, page: undefined })}>
            Session {search.session.slice(0, 12)}…
          </Chip>
        )}
        <Button onClick={() => void refresh()}>Refresh</Button>
        <Button busy={busy} reason={against('delivery.redeliver')} onClick={redeliverFailed}>
          Redeliver failed of 7 days
        </Button>
      </Chips>
      {list.isPending && <Loading what="the deliveries" />}
      {list.isError && <Failed error={list.error} retry={() => void list.refetch()} />}
      {list.data && rows.length === 0 && (
        <Empty title="No delivery here">
          <p>Every change of a session's status makes one, once a URL is set. “Send a ping” makes one now.</p>
        </Empty>
      )}
      {rows.length > 0 && list.data && (
        <div>
          <Table
            caption="Webhook deliveries, newest first"
            columns={columns}
            rows={rows}
            rowKey={({ delivery_id }) => delivery_id}
            current={current}
            stale={list.isPlaceholderData}
          />
          <Pager
            page={search.page ?? 1}
            pageSize={pageSize}
            total={list.data.total}
            onPage={(page) => change({ page })}
          />
        </div>
      )}
      {search.delivery && (
        <DeliveryDialog
          appId={appId}
          deliveryId={search.delivery}
          onClose={() => change({ delivery: undefined })}
          onChange={refresh}
        />
      )}
    </Page>
  )
}
