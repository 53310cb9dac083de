import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useReasonAgainst } from '../../api/account.ts'
import { api, type Got } from '../../api/client.ts'
import { useAppId } from '../../app/app-choice.ts'
import { notify } from '../../app/notices.tsx'
import { useShortcuts } from '../../app/shortcuts.ts'
import { formatNumber } from '../../lib/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Page } from '../../ui/page.tsx'
import { SecretDialog } from '../../ui/secret-dialog.tsx'
import { Empty, Failed, Loading } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Time, useNow } from '../../ui/time.tsx'
import { useAction } from '../../ui/use-action.ts'
import { CreateKey } from './create-key.tsx'

type Key = Got<'/console/api/apps/:app_id/keys'>['data'][number]

const keysQuery = (appId: string) =>
  queryOptions({
    queryKey: ['app', appId, 'keys'],
    queryFn: async () =>
      (await api.get('/console/api/apps/:app_id/keys', { params: { app_id: appId } })).data,
  })

/** The API keys of the app. */
export function KeysPage() {
  const appId = useAppId()
  const client = useQueryClient()
  const against = useReasonAgainst()
  const now = useNow()
  const list = useQuery(keysQuery(appId))
  const [creating, setCreating] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const [revoking, setRevoking] = useState<Key | null>(null)
  const refresh = () => client.invalidateQueries({ queryKey: keysQuery(appId).queryKey })
  const [revoke, busy] = useAction(async (key: Key) => {
    await api.delete('/console/api/apps/:app_id/keys/:key_id', { params: { app_id: appId, key_id: key.id } })
    setRevoking(null)
    notify(`${key.name} is revoked. Calls with it are refused within a second.`)
    await refresh()
  })
  const writeReason = against('key.write')
  useShortcuts([{ keys: 'c', label: 'Create a key', run: () => !writeReason && setCreating(true) }])
  const stateOf = (key: Key) =>
    key.revoked_at ? (
      <Badge tone="bad">Revoked</Badge>
    ) : key.expires_at && Date.parse(key.expires_at) < now ? (
      <Badge tone="warn">Expired</Badge>
    ) : (
      <Badge tone="ok">Active</Badge>
    )
  const columns: readonly Column<Key>[] = [
    { name: 'Name', cell: ({ name }) => name },
    { name: 'Begins with', cell: ({ prefix }) => <code>{prefix}…</code> },
    { name: 'State', cell: stateOf },
    { name: 'May', cell: ({ scopes }) => (scopes === null ? 'Everything' : scopes.join(', ')) },
    {
      name: 'Limit a minute',
      number: true,
      cell: ({ rate_limit_per_minute: limit }) => (limit === null ? 'default' : formatNumber(limit)),
    },
    { name: 'Last used', cell: ({ last_used_at }) => (last_used_at ? <Time at={last_used_at} /> : 'Never') },
    { name: 'Expires', cell: ({ expires_at }) => (expires_at ? <Time at={expires_at} /> : 'Never') },
    { name: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
    {
      name: 'Actions',
      hideName: true,
      cell: (key) =>
        key.revoked_at === null && (
          <Button
            variant="danger"
            aria-label={`Revoke ${key.name}`}
            reason={writeReason}
            onClick={() => setRevoking(key)}
          >
            Revoke
          </Button>
        ),
    },
  ]
  return (
    <Page
      title="Keys"
      lead="What your backends call the interface with, in the header x-api-key. Only a hash of each is kept."
      actions={
        <Button variant="primary" shortcut="c" reason={writeReason} onClick={() => setCreating(true)}>
          Create key
        </Button>
      }
    >
      {list.isPending && <Loading what="the keys" />}
      {list.isError && <Failed error={list.error} retry={() => void list.refetch()} />}
      {list.data?.length === 0 && (
        <Empty title="This app has no key">
          <p>Create one, then call POST /v1/sessions with it.</p>
        </Empty>
      )}
      {list.data && list.data.length > 0 && (
        <Table caption="API keys, newest first" columns={columns} rows={list.data} rowKey={({ id }) => id} />
      )}
      {creating && (
        <CreateKey
          appId={appId}
          onClose={() => setCreating(false)}
          onCreated={(value) => {
            setCreating(false)
            setSecret(value)
            void refresh()
          }}
        />
      )}
      {secret && (
        <SecretDialog title="Key created" values={[['API key', secret]]} onClose={() => setSecret(null)} />
      )}
      <ConfirmDialog
        title={`Revoke ${revoking?.name ?? 'key'}`}
        action="Revoke for good"
        open={revoking !== null}
        busy={busy}
        onConfirm={() => revoking && revoke(revoking)}
        onClose={() => setRevoking(null)}
      >
        Every backend that uses it is refused within a second. It cannot be brought back.
      </ConfirmDialog>
    </Page>
  )
}
