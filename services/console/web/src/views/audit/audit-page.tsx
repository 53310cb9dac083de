import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useReasonAgainst } from '../../api/account.ts'
import { api, type Got } from '../../api/client.ts'
import type { AuditSearch } from '../../app/search.ts'
import { formatNumber, wordsOfCode } from '../../lib/words.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Page, pageStyles } from '../../ui/page.tsx'
import { Empty, Failed, Loading } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { ExactTime } from '../../ui/time.tsx'
import styles from './audit.module.css'
import { Verification } from './verification.tsx'

type Entry = Got<'/console/api/audit'>['data'][number]

const day = 86_400_000
function filterOf({ from, to, app, ...search }: AuditSearch) {
  return {
    ...search,
    app_id: app,
    from: from && `${from}T00:00:00Z`,
    to: to && `${new Date(Date.parse(`${to}T00:00:00Z`) + day).toISOString().slice(0, 19)}Z`,
  }
}

const fields = [
  ['action', 'Action', 'text', 'session.approved'],
  ['actor_id', 'Actor', 'text', 'usr_… or key_…'],
  ['target', 'Target', 'text', 'ses_…'],
  ['from', 'From', 'date', ''],
  ['to', 'To', 'date', ''],
] as const

/** The audit log, whose hash chain shows whether an entry was changed. */
export function AuditPage() {
  const search = useSearch({ from: '/shell/audit' })
  const navigate = useNavigate()
  const against = useReasonAgainst()
  const filter = filterOf(search)
  const reason = against('audit.read')
  const list = useInfiniteQuery({
    queryKey: ['audit', search],
    queryFn: ({ pageParam }) =>
      api.get('/console/api/audit', { query: { ...filter, before_seq: pageParam, limit: 100 } }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => page.next_before_seq ?? undefined,
    enabled: reason === null,
  })
  const rows = list.data?.pages.flatMap((page) => page.data) ?? []
  const exportSearch = new URLSearchParams(
    Object.entries(filter).filter((pair): pair is [string, string] => pair[1] !== undefined),
  )
  const columns: readonly Column<Entry>[] = [
    { name: 'Seq', number: true, cell: ({ seq }) => formatNumber(seq) },
    { name: 'Time', cell: ({ at }) => <ExactTime at={at} /> },
    {
      name: 'Actor',
      cell: ({ actor }) => (
        <>
          {wordsOfCode(actor.type)}
          {actor.id && <div className="id muted">{actor.id.slice(0, 14)}…</div>}
        </>
      ),
    },
    { name: 'Action', cell: ({ action }) => <code>{action}</code> },
    {
      name: 'Target',
      cell: ({ target }) => (
        <span className="id" title={target}>
          {target.length > 16 ? `${target.slice(0, 14)}…` : target}
        </span>
      ),
    },
    { name: 'IP', cell: ({ ip }) => ip ?? '–' },
    {
      name: 'Details, hash',
      cell: ({ details, hash }) => (
        <div className={styles.details}>
          {Object.entries(details)
            .map(([name, value]) => `${name}: ${value}`)
            .join(', ')}
          <div className="id muted" title={hash}>
            {hash.slice(0, 8)}
          </div>
        </div>
      ),
    },
  ]
  return (
    <Page
      title="Audit"
      lead="Ids and codes only. Each entry contains the hash of the one before, and signed heads in the vault prove how far the log reaches."
      actions={
        reason === null && (
          <a
            className={buttonClass()}
            href={`/console/api/audit/export?${exportSearch}`}
            download="audit.jsonl"
          >
            Export JSONL
          </a>
        )
      }
    >
      <Verification reason={reason} />
      <form
        key={JSON.stringify(search)}
        className={styles.filters}
        onSubmit={(event) => {
          event.preventDefault()
          const form = new FormData(event.currentTarget)
          const given = fields.map(([name]) => [name, String(form.get(name) ?? '').trim() || undefined])
          void navigate({ to: '.', search: { ...search, ...Object.fromEntries(given) }, replace: true })
        }}
      >
        {fields.map(([name, label, type, placeholder]) => (
          <TextField
            key={name}
            name={name}
            label={label}
            type={type}
            placeholder={placeholder}
            defaultValue={search[name] ?? ''}
          />
        ))}
        <Button type="submit">Apply</Button>
        <Button variant="quiet" onClick={() => void navigate({ to: '.', search: {}, replace: true })}>
          Clear
        </Button>
      </form>
      {reason !== null && (
        <Empty title="The audit log is not open to you">
          <p>{reason}.</p>
        </Empty>
      )}
      {reason === null && list.isPending && <Loading what="the audit log" />}
      {list.isError && <Failed error={list.error} retry={() => void list.refetch()} />}
      {list.data && rows.length === 0 && <Empty title="No entry fits these filters" />}
      {rows.length > 0 && (
        <div>
          <Table
            caption="Audit entries, newest first"
            columns={columns}
            rows={rows}
            rowKey={({ id }) => id}
          />
          {list.hasNextPage && (
            <p className={pageStyles.row}>
              <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                Show older
              </Button>
            </p>
          )}
        </div>
      )}
    </Page>
  )
}
