import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useAccount } from '../../api/account.ts'
import { api } from '../../api/client.ts'
import { type QueueRow, queueQuery } from '../../api/queue.ts'
import { workflowsQuery } from '../../api/workflows.ts'
import { useAppId } from '../../app/app-choice.ts'
import { notify } from '../../app/notices.tsx'
import type { QueueSearch } from '../../app/search.ts'
import { reviewReasons } from '../../lib/reasons.ts'
import { wordsOfCode } from '../../lib/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Chip, ChipSelect, Chips } from '../../ui/chips.tsx'
import { Page, pageStyles } from '../../ui/page.tsx'
import { WarningsBadge } from '../../ui/session-badges.tsx'
import { Empty, Failed, Loading } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Age } from '../../ui/time.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useRows } from '../../ui/use-rows.ts'
import { SavedViews } from '../saved-views/saved-views.tsx'
import { useSteadyRows } from './steady-rows.ts'

const hour = 60

/** The sessions that wait for a reviewer, the longest waiting first. */
export function QueuePage() {
  const appId = useAppId()
  const search = useSearch({ from: '/shell/apps/$appId/queue' })
  const navigate = useNavigate()
  const client = useQueryClient()
  const { user } = useAccount()
  const workflows = useQuery(workflowsQuery(appId))
  const list = useInfiniteQuery({ ...queueQuery(appId, search), placeholderData: keepPreviousData })
  const latest = list.data?.pages.flatMap((page) => page.data) ?? []
  const { rows, fresh, showFresh } = useSteadyRows(
    latest,
    JSON.stringify([appId, search, list.data?.pages.length]),
  )
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())

  const filter = (change: QueueSearch) =>
    void navigate({ to: '.', search: { ...search, ...change }, replace: true })
  const open = ({ session_id }: { session_id: string }) =>
    void navigate({ to: '/apps/$appId/sessions/$sessionId', params: { appId, sessionId: session_id } })

  const [takeNext, taking] = useAction(async () => {
    const next = await api.post('/console/api/apps/:app_id/queue/next', {
      params: { app_id: appId },
      body: {
        ...(search.reason ? { reason: search.reason as QueueRow['decision_reason'] & string } : {}),
        ...(search.workflow ? { workflow_id: search.workflow } : {}),
      },
    })
    if (next.session_id) open({ session_id: next.session_id })
    else notify('Nothing is waiting that nobody holds.')
  })
  const [assign, assigning] = useAction(async (ids: readonly string[]) => {
    for (const id of ids) {
      await api.post('/console/api/apps/:app_id/sessions/:session_id/assignment', {
        params: { app_id: appId, session_id: id },
        body: { user_id: user.id },
      })
    }
    setSelected(new Set())
    notify(ids.length === 1 ? 'The session is yours.' : `${ids.length} sessions are yours.`)
    await client.invalidateQueries({ queryKey: ['app', appId, 'queue'] })
  })
  const toggle = (id: string) =>
    setSelected((old) => new Set(old.has(id) ? [...old].filter((item) => item !== id) : [...old, id]))

  const { current } = useRows(rows, open, (row) => [
    { keys: 't', label: 'Take the next session', run: takeNext },
    { keys: 'x', label: 'Select the row', run: () => row && toggle(row.session_id) },
    { keys: 'i', label: 'Assign the row to me', run: () => row && assign([row.session_id]) },
  ])

  const columns: readonly Column<QueueRow>[] = [
    {
      name: 'Select',
      hideName: true,
      cell: ({ session_id }) => (
        <input
          type="checkbox"
          aria-label={`Select ${session_id}`}
          checked={selected.has(session_id)}
          onChange={() => toggle(session_id)}
        />
      ),
    },
    { name: 'Waiting', cell: (item) => <Age since={item.in_review_since} /> },
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
    { name: 'Reason', cell: (item) => (item.decision_reason ? wordsOfCode(item.decision_reason) : '–') },
    { name: 'Warnings', cell: ({ warnings }) => <WarningsBadge {...warnings} /> },
    {
      name: 'Document',
      cell: ({ document }) =>
        document
          ? [document.country, document.type && wordsOfCode(document.type)].filter(Boolean).join(' · ') || '–'
          : '–',
    },
    {
      name: 'AML',
      cell: ({ aml }) =>
        aml && aml.matches > 0 ? (
          <Badge tone={aml.unreviewed > 0 ? 'warn' : 'plain'}>
            {aml.matches} {aml.matches === 1 ? 'match' : 'matches'}
            {aml.unreviewed > 0 ? `, ${aml.unreviewed} open` : ', reviewed'}
          </Badge>
        ) : (
          '–'
        ),
    },
    {
      name: 'Assignee',
      cell: ({ assignment }) =>
        assignment ? (assignment.user_id === user.id ? 'Me' : (assignment.name ?? 'A colleague')) : '–',
    },
    {
      name: 'Workflow',
      cell: ({ workflow_name, workflow_version }) => `${workflow_name} v${workflow_version}`,
    },
  ]

  const waiting = list.data?.pages[0]?.waiting ?? 0
  return (
    <Page
      title="Queue"
      actions={
        <>
          {selected.size > 0 && (
            <Button busy={assigning} onClick={() => assign([...selected])}>
              Assign {selected.size} to me
            </Button>
          )}
          <Button
            variant="primary"
            shortcut="t"
            busy={taking}
            onClick={() => takeNext()}
            reason={list.isSuccess && waiting === 0 && 'Nothing is waiting'}
          >
            Take next
          </Button>
        </>
      }
    >
      <Chips label="Filters of the queue">
        <Chip on={search.assignee === 'me'} onChange={(on) => filter({ assignee: on ? 'me' : undefined })}>
          Mine
        </Chip>
        <Chip
          on={search.assignee === 'none'}
          onChange={(on) => filter({ assignee: on ? 'none' : undefined })}
        >
          Unassigned
        </Chip>
        <Chip on={search.waiting === hour} onChange={(on) => filter({ waiting: on ? hour : undefined })}>
          Waiting over 1 h
        </Chip>
        <ChipSelect
          label="Reason"
          value={search.reason}
          options={reviewReasons.map((code) => [code, wordsOfCode(code)])}
          onChange={(reason) => filter({ reason })}
        />
        <ChipSelect
          label="Workflow"
          value={search.workflow}
          options={(workflows.data ?? []).map(({ id, name }) => [id, name])}
          onChange={(workflow) => filter({ workflow })}
        />
        <SavedViews
          page="queue"
          search={search}
          onChoose={(filters) => void navigate({ to: '.', search: filters, replace: true })}
        />
        {list.isSuccess && <span className="muted">{waiting} waiting in all</span>}
        {fresh > 0 && (
          <Button onClick={showFresh} aria-live="polite">
            Show {fresh} new
          </Button>
        )}
      </Chips>
      {list.isPending && <Loading what="the queue" />}
      {list.isError && !list.data && <Failed error={list.error} retry={() => void list.refetch()} />}
      {list.data && rows.length === 0 && (
        <Empty title={waiting === 0 ? 'Nothing is waiting' : 'Nothing fits these filters'}>
          <p>
            {waiting === 0
              ? 'Sessions come here when their checks leave a question to a person. This page keeps itself up to date.'
              : 'Take a filter away to see the rest.'}
          </p>
        </Empty>
      )}
      {rows.length > 0 && (
        <div>
          <Table
            caption="Sessions in review, the longest waiting first"
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
    </Page>
  )
}
