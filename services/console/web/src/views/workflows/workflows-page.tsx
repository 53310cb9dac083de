import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useReasonAgainst } from '../../api/account.ts'
import { api } from '../../api/client.ts'
import { type WorkflowRow, workflowsQuery } from '../../api/workflows.ts'
import { useAppId } from '../../app/app-choice.ts'
import { notify } from '../../app/notices.tsx'
import { checkName, formatNumber } from '../../lib/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Failed, Loading } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useRows } from '../../ui/use-rows.ts'

const stepsOf = ({ config }: WorkflowRow) =>
  (Object.keys(checkName) as (keyof typeof checkName)[])
    .filter((kind) => config.steps[kind].enabled)
    .map((kind) => checkName[kind])
    .join(', ')

/** The workflows of an app. */
export function WorkflowsPage() {
  const appId = useAppId()
  const client = useQueryClient()
  const navigate = useNavigate()
  const against = useReasonAgainst()
  const list = useQuery(workflowsQuery(appId))
  const [archiving, setArchiving] = useState<WorkflowRow | null>(null)
  const rows = list.data ?? []
  const writeReason = against('workflow.write')
  const refresh = () => client.invalidateQueries({ queryKey: workflowsQuery(appId).queryKey })
  const paramsOf = ({ id }: WorkflowRow) => ({ app_id: appId, workflow_id: id })
  const [makeDefault] = useAction(async (row: WorkflowRow) => {
    await api.post('/console/api/apps/:app_id/workflows/:workflow_id/default', { params: paramsOf(row) })
    notify(`Sessions without a named workflow run ${row.name} now.`)
    await refresh()
  })
  const [archive, busy] = useAction(async (row: WorkflowRow) => {
    await api.post('/console/api/apps/:app_id/workflows/:workflow_id/archive', { params: paramsOf(row) })
    setArchiving(null)
    notify(`${row.name} is archived. Sessions under way go on.`)
    await refresh()
  })
  const open = (id: string) =>
    void navigate({ to: '/apps/$appId/workflows/$workflowId', params: { appId, workflowId: id } })
  const { current } = useRows(
    rows,
    ({ id }) => open(id),
    () => [{ keys: 'c', label: 'New workflow', run: () => !writeReason && open('new') }],
  )
  const columns: readonly Column<WorkflowRow>[] = [
    {
      name: 'Name',
      cell: (row) => (
        <>
          <Link to="/apps/$appId/workflows/$workflowId" params={{ appId, workflowId: row.id }}>
            {row.name}
          </Link>{' '}
          {row.is_default && <Badge tone="info">Default</Badge>}
          {row.archived_at && <Badge>Archived</Badge>}
        </>
      ),
    },
    { name: 'Version', number: true, cell: ({ version }) => version },
    { name: 'Checks', cell: stepsOf },
    { name: 'Languages', cell: ({ config }) => config.locales.join(', ') },
    { name: 'Sessions in 30 days', number: true, cell: (row) => formatNumber(row.sessions_30_days) },
    { name: 'Changed', cell: ({ updated_at }) => <Time at={updated_at} /> },
    {
      name: 'Actions',
      hideName: true,
      cell: (row) => {
        const resting = writeReason ?? (row.archived_at ? 'Archived' : row.is_default ? 'The default' : null)
        return (
          <Menu
            icon
            variant="quiet"
            ariaLabel={`Actions for ${row.name}`}
            label={<Icon name="more" />}
            entries={[
              { id: 'default', label: 'Make default', reason: resting, onChoose: () => makeDefault(row) },
              { id: 'archive', label: 'Archive…', reason: resting, onChoose: () => setArchiving(row) },
            ]}
          />
        )
      },
    },
  ]
  return (
    <Page
      title="Workflows"
      lead="What a session asks of a person and how its checks are judged. A session keeps the version it began with."
      actions={
        <Button variant="primary" shortcut="c" reason={writeReason} onClick={() => open('new')}>
          New workflow
        </Button>
      }
    >
      {list.isPending && <Loading what="the workflows" />}
      {list.isError && <Failed error={list.error} retry={() => void list.refetch()} />}
      {list.data?.length === 0 && (
        <Empty title="This app has no workflow">
          <p>Sessions cannot be created without one.</p>
        </Empty>
      )}
      {rows.length > 0 && (
        <Table
          caption="Workflows, the default first"
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          current={current}
        />
      )}
      <ConfirmDialog
        title={`Archive ${archiving?.name ?? 'workflow'}`}
        action="Archive"
        open={archiving !== null}
        busy={busy}
        onConfirm={() => archiving && archive(archiving)}
        onClose={() => setArchiving(null)}
      >
        No new session may run it. It is kept, with all its versions.
      </ConfirmDialog>
    </Page>
  )
}
