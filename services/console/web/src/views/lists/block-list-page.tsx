import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useReasonAgainst } from '../../api/account.ts'
import { api, type Got } from '../../api/client.ts'
import { useAppId } from '../../app/app-choice.ts'
import { notify } from '../../app/notices.tsx'
import { wordsOfCode } from '../../lib/words.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Failed, Loading } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { ExactTime } from '../../ui/time.tsx'
import { useAction } from '../../ui/use-action.ts'

type Entry = Got<'/console/api/apps/:app_id/block-list'>['data'][number]

/** The faces and documents that the app blocks. The console cannot show their content. */
export function BlockListPage() {
  const appId = useAppId()
  const client = useQueryClient()
  const against = useReasonAgainst()
  const queryKey = ['app', appId, 'block-list']
  const query = useQuery({
    queryKey,
    queryFn: async () =>
      (await api.get('/console/api/apps/:app_id/block-list', { params: { app_id: appId } })).data,
  })
  const [removing, setRemoving] = useState<Entry | null>(null)
  const [remove, busy] = useAction(async ({ id, kind }: Entry) => {
    await api.delete('/console/api/apps/:app_id/block-list/:kind/:entry_id', {
      params: { app_id: appId, kind, entry_id: id },
    })
    setRemoving(null)
    notify('It is refused no longer.')
    await client.invalidateQueries({ queryKey })
  })
  return (
    <Page
      title="Block list"
      lead="Faces and documents that this app refuses. A session's menu adds them; they stay when the session is purged."
    >
      {query.isPending && <Loading what="the block list" />}
      {query.isError && <Failed error={query.error} retry={() => void query.refetch()} />}
      {query.data?.length === 0 && <Empty title="Nothing is refused" />}
      {query.data && query.data.length > 0 && (
        <Table
          caption="Refused faces and documents"
          rows={query.data}
          rowKey={({ id }) => id}
          columns={[
            { name: 'Kind', cell: ({ kind }) => wordsOfCode(kind) },
            { name: 'Entry', cell: ({ id }) => <span className="id">{id}</span> },
            { name: 'Since', cell: ({ created_at }) => <ExactTime at={created_at} /> },
            {
              name: 'Actions',
              hideName: true,
              cell: (entry) => (
                <Button reason={against('block_list.write')} onClick={() => setRemoving(entry)}>
                  Remove
                </Button>
              ),
            },
          ]}
        />
      )}
      <ConfirmDialog
        title="Refuse it no longer"
        action="Remove"
        open={removing !== null}
        busy={busy}
        onConfirm={() => removing && remove(removing)}
        onClose={() => setRemoving(null)}
      >
        It cannot be added again once its session is purged.
      </ConfirmDialog>
    </Page>
  )
}
