import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import type { WorkflowDetail } from '../../api/workflows.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Card } from '../../ui/page.tsx'
import { Failed, Loading } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { ExactTime } from '../../ui/time.tsx'
import { ChangesTable } from './changes-table.tsx'

/** Every version with its changes. */
export function Versions({ appId, workflow }: { appId: string; workflow: WorkflowDetail }) {
  const [shown, setShown] = useState<number | null>(null)
  return (
    <Card title="Versions">
      <Table
        caption="Versions, newest first"
        rows={workflow.versions}
        rowKey={({ version }) => String(version)}
        columns={[
          { name: 'Version', cell: ({ version }) => version },
          { name: 'Made', cell: ({ created_at }) => <ExactTime at={created_at} /> },
          {
            name: 'By',
            cell: ({ created_by, created_by_name }) =>
              created_by_name ?? (created_by === null ? 'The installation' : 'A colleague'),
          },
          {
            name: 'Actions',
            hideName: true,
            cell: ({ version }) => (
              <Button aria-label={`What changed in version ${version}`} onClick={() => setShown(version)}>
                What changed
              </Button>
            ),
          },
        ]}
      />
      {shown !== null && (
        <VersionDialog
          appId={appId}
          workflowId={workflow.id}
          version={shown}
          onClose={() => setShown(null)}
        />
      )}
    </Card>
  )
}

type Props = { appId: string; workflowId: string; version: number; onClose: () => void }

function VersionDialog({ appId, workflowId, version, onClose }: Props) {
  const query = useQuery({
    queryKey: ['app', appId, 'workflows', workflowId, version],
    queryFn: () =>
      api.get('/console/api/apps/:app_id/workflows/:workflow_id/versions/:version', {
        params: { app_id: appId, workflow_id: workflowId, version: String(version) },
      }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Dialog title={`What changed in version ${version}`} open onClose={onClose} wide>
      {query.isPending && <Loading what="the version" />}
      {query.isError && <Failed error={query.error} retry={() => void query.refetch()} />}
      {query.data && <ChangesTable changes={query.data.changes} caption="Changed settings" />}
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  )
}
