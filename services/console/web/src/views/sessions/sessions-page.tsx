import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useReasonAgainst } from '../../api/account.ts'
import { type SessionRow, sessionsQuery } from '../../api/sessions.ts'
import { workflowsQuery } from '../../api/workflows.ts'
import { useAppId } from '../../app/app-choice.ts'
import type { SessionsSearch } from '../../app/search.ts'
import { allReasons } from '../../lib/reasons.ts'
import { sessionStatuses } from '../../lib/statuses.ts'
import { formatNumber, wordsOfCode } from '../../lib/words.ts'
import { Button } from '../../ui/button.tsx'
import { Chip, ChipSelect, Chips } from '../../ui/chips.tsx'
import { Page, pageStyles } from '../../ui/page.tsx'
import { StatusBadge, WarningsBadge } from '../../ui/session-badges.tsx'
import { Empty, Failed, Loading } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { useRows } from '../../ui/use-rows.ts'
import { SavedViews } from '../saved-views/saved-views.tsx'
import { CreateSession } from './create-session.tsx'
import { TextFilters } from './text-filters.tsx'

/** All sessions of the app, with search and filters. */
export function SessionsPage() {
  const appId = useAppId()
  const search = useSearch({ from: '/shell/apps/$appId/sessions' })
  const navigate = useNavigate()
  const against = useReasonAgainst()
  const [creating, setCreating] = useState(false)
  const workflows = useQuery(workflowsQuery(appId))
  const list = useInfiniteQuery({ ...sessionsQuery(appId, search), placeholderData: keepPreviousData })
  const rows = list.data?.pages.flatMap((page) => page.data) ?? []
  const total = list.data?.pages[0]?.total ?? null

  const filter = (change: SessionsSearch) =>
    void navigate({ to: '.', search: { ...search, ...change }, replace: true })
  const open = ({ session_id }: SessionRow) =>
    void navigate({ to: '/apps/$appId/sessions/$sessionId', params: { appId, sessionId: session_id } })
  const { current } = useRows(rows, open, () => [
    { keys: 'c', label: 'Create a session', run: () => setCreating(true) },
  ])
  const statuses = (search.status ?? '').split(',').filter(Boolean)
  const filtered = Object.values(search).some((value) => value !== undefined)

  const columns: readonly Column<SessionRow>[] = [
    {
      name: 'Session',
      cell: ({ session_id, vendor_data }) => (
        <>
          <Link
            to="/apps/$appId/sessions/$sessionId"
            params={{ appId, sessionId: session_id }}
            className="id"
          >
            {session_id.slice(0, 12)}…
          </Link>
          {vendor_data && <div className="muted">{vendor_data}</div>}
        </>
      ),
    },
    { name: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
    { name: 'Reason', cell: (row) => (row.decision_reason ? wordsOfCode(row.decision_reason) : '–') },
    { name: 'Warnings', cell: ({ warnings }) => <WarningsBadge {...warnings} /> },
    {
      name: 'Workflow',
      cell: ({ workflow_name, workflow_version }) => `${workflow_name} v${workflow_version}`,
    },
    { name: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
    { name: 'Completed', cell: ({ completed_at }) => <Time at={completed_at} /> },
    { name: 'Via', cell: ({ created_via }) => wordsOfCode(created_via) },
  ]

  return (
    <Page
      title="Sessions"
      actions={
        <Button
          variant="primary"
          shortcut="c"
          onClick={() => setCreating(true)}
          reason={against('session.create')}
        >
          Create session
        </Button>
      }
    >
      <Chips label="Filters of the sessions">
        {sessionStatuses.map((status) => (
          <Chip
            key={status}
            on={statuses.includes(status)}
            onChange={(on) => {
              const next = on ? [...statuses, status] : statuses.filter((item) => item !== status)
              filter({ status: next.length === 0 ? undefined : next.join(',') })
            }}
          >
            {wordsOfCode(status)}
          </Chip>
        ))}
        <ChipSelect
          label="Reason"
          value={search.reason}
          options={allReasons.map((code) => [code, wordsOfCode(code)])}
          onChange={(reason) => filter({ reason })}
        />
        <ChipSelect
          label="Workflow"
          value={search.workflow}
          options={(workflows.data ?? []).map(({ id, name }) => [id, name])}
          onChange={(workflow) => filter({ workflow })}
        />
        <ChipSelect
          label="Assignee"
          value={search.assignee}
          options={[
            ['me', 'me'],
            ['none', 'nobody'],
          ]}
          onChange={(assignee) => filter({ assignee: assignee as SessionsSearch['assignee'] })}
        />
        <SavedViews
          page="sessions"
          search={search}
          onChoose={(filters) => void navigate({ to: '.', search: filters, replace: true })}
        />
      </Chips>
      <TextFilters
        key={JSON.stringify(search)}
        search={search}
        onApply={filter}
        onClear={filtered ? () => void navigate({ to: '.', search: {}, replace: true }) : undefined}
      />
      {list.isPending && <Loading what="the sessions" />}
      {list.isError && !list.data && <Failed error={list.error} retry={() => void list.refetch()} />}
      {list.data && rows.length === 0 && (
        <Empty title={filtered ? 'No session fits these filters' : 'No session yet'}>
          <p>
            {filtered
              ? 'Take a filter away, or look whether the word is spelled as on the document.'
              : 'Your backend makes them with POST /v1/sessions; “Create session” makes one here.'}
          </p>
        </Empty>
      )}
      {rows.length > 0 && (
        <div>
          <p className="muted">
            {total === null ? `${formatNumber(rows.length)} shown` : `${formatNumber(total)} in all`}
          </p>
          <Table
            caption="Sessions, newest first"
            columns={columns}
            rows={rows}
            rowKey={({ session_id }) => session_id}
            current={current}
            stale={list.isPlaceholderData}
          />
          {list.hasNextPage && (
            <p className={pageStyles.row}>
              <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                Show more
              </Button>
            </p>
          )}
        </div>
      )}
      {creating && <CreateSession onClose={() => setCreating(false)} />}
    </Page>
  )
}
