import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useReasonAgainst } from '../../api/account.ts'
import { api, type Got } from '../../api/client.ts'
import { notify } from '../../app/notices.tsx'
import { formatNumber, wordsOfCode } from '../../lib/words.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Empty, Failed, Loading } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { useAction } from '../../ui/use-action.ts'

type List = Got<'/console/api/lists'>['lists'][number]

const tone: Record<List['status'], Tone> = { ok: 'ok', stale: 'warn', error: 'bad', not_loaded: 'bad' }
const queryKey = ['lists']

const columns: readonly Column<List>[] = [
  { name: 'List', cell: ({ list }) => wordsOfCode(list) },
  { name: 'Version', cell: ({ version }) => (version ? <code>{version}</code> : '–') },
  { name: 'Entities', number: true, cell: ({ entity_count }) => formatNumber(entity_count) },
  { name: 'Loaded', cell: ({ fetched_at }) => <Time at={fetched_at} /> },
  { name: 'Source checked', cell: ({ checked_at }) => <Time at={checked_at} /> },
  { name: 'Status', cell: ({ status }) => <Badge tone={tone[status]}>{wordsOfCode(status)}</Badge> },
]

/** The sanctions lists, their age, and the files that were rejected. */
export function ListsPage() {
  const client = useQueryClient()
  const against = useReasonAgainst()
  const query = useQuery({ queryKey, queryFn: () => api.get('/console/api/lists', {}) })
  const [refresh, busy] = useAction(async () => {
    const { started } = await api.post('/console/api/lists/refresh', {})
    notify(started ? 'The sources are looked at now.' : 'They are being looked at already.')
    await client.invalidateQueries({ queryKey })
  })
  return (
    <Page
      title="Sanctions lists"
      lead="Names are screened against every list that is loaded. A list that could not be loaded is never passed over in silence."
      actions={
        <Button busy={busy} reason={against('list.refresh')} onClick={refresh}>
          Refresh
        </Button>
      }
    >
      {query.isPending && <Loading what="the lists" />}
      {query.isError && <Failed error={query.error} retry={() => void query.refetch()} />}
      {query.data?.lists.length === 0 && (
        <Empty title="No list is known">
          <p>Set SANCTIONS_DIR, or let this server reach the public sources.</p>
        </Empty>
      )}
      {query.data && query.data.lists.length > 0 && (
        <Table
          caption="Sanctions lists"
          columns={columns}
          rows={query.data.lists}
          rowKey={({ list }) => list}
        />
      )}
      {query.data && query.data.refused_files.length > 0 && (
        <Card title="Files that serve no list">
          <Table
            caption="Files that serve no list"
            rows={query.data.refused_files}
            rowKey={({ path }) => path}
            columns={[
              { name: 'File', cell: ({ path }) => <code>{path}</code> },
              { name: 'Why', cell: ({ message }) => message },
            ]}
          />
        </Card>
      )}
    </Page>
  )
}
