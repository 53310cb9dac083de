import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, isConflict } from '../../api/client.ts'
import type { WorkflowDetail } from '../../api/workflows.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Failed, Loading, wordsOf } from '../../ui/states.tsx'
import { useAction } from '../../ui/use-action.ts'
import { ChangesTable } from './changes-table.tsx'
import type { FormOutput } from './form.ts'

type Props = {
  appId: string
  workflowId: string
  values: FormOutput
  /** The version that was edited. */
  version: number
  onVersion: (version: number) => void
  onSaved: (workflow: WorkflowDetail) => void
  onClose: () => void
}

/** Shows the changes before saving. If another version was saved since, shows the changes from that one. */
export function SaveDialog({ appId, workflowId, values, version, onVersion, onSaved, onClose }: Props) {
  const params = { app_id: appId, workflow_id: workflowId }
  const [conflict, setConflict] = useState<string>()
  const [error, setError] = useState<string>()
  const diff = useQuery({
    queryKey: ['app', appId, 'workflow-diff', workflowId, values, version],
    queryFn: () =>
      api.post('/console/api/apps/:app_id/workflows/:workflow_id/diff', {
        params,
        body: { config: values.config },
      }),
    gcTime: 0,
    staleTime: 0,
  })
  const [save, busy] = useAction(
    async () => {
      setError(undefined)
      onSaved(
        await api.put('/console/api/apps/:app_id/workflows/:workflow_id', {
          params,
          body: { name: values.name, config: values.config, version },
        }),
      )
    },
    (failure) => {
      if (isConflict(failure)) {
        setConflict(wordsOf(failure))
        void diff.refetch().then(({ data }) => data && onVersion(data.version))
      } else {
        setError(wordsOf(failure))
      }
    },
  )
  return (
    <Dialog title={conflict ? 'Another version came meanwhile' : 'What changes'} open onClose={onClose} wide>
      {conflict && (
        <p role="alert">
          {conflict} Below is how yours differs from it. Saving makes yours the newest; theirs is kept as a
          version.
        </p>
      )}
      {diff.isPending && <Loading what="the difference" />}
      {diff.isError && <Failed error={diff.error} retry={() => void diff.refetch()} />}
      {diff.data && <ChangesTable changes={diff.data.changes} caption="Changed settings" />}
      {error && <p role="alert">{error}</p>}
      <p className="muted">Sessions under way keep the version they began with.</p>
      <DialogActions>
        <Button onClick={onClose}>Go on editing</Button>
        <Button
          variant="primary"
          busy={busy || diff.isFetching}
          onClick={save}
          reason={diff.isError && 'The difference is not known'}
        >
          {conflict ? 'Save over it' : 'Save'}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
