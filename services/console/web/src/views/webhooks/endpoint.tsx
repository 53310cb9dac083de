import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useReasonAgainst } from '../../api/account.ts'
import { api } from '../../api/client.ts'
import { notify } from '../../app/notices.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Card, pageStyles } from '../../ui/page.tsx'
import { SecretDialog } from '../../ui/secret-dialog.tsx'
import { Failed, Loading, wordsOf } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { useAction } from '../../ui/use-action.ts'

/** The webhook URL, and the secret that signs deliveries. */
export function Endpoint({ appId, onPing }: { appId: string; onPing: () => Promise<void> }) {
  const client = useQueryClient()
  const against = useReasonAgainst()
  const params = { app_id: appId }
  const queryKey = ['app', appId, 'webhook']
  const query = useQuery({
    queryKey,
    queryFn: () => api.get('/console/api/apps/:app_id/webhook', { params }),
  })
  const [rotating, setRotating] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const [error, setError] = useState<string>()
  const [save, saving] = useAction(
    async (url: string) => {
      setError(undefined)
      const answer = await api.put('/console/api/apps/:app_id/webhook', {
        params,
        body: { url: url === '' ? null : url },
      })
      client.setQueryData(queryKey, answer)
      notify(answer.url === null ? 'Deliveries are stopped.' : 'The URL is saved.')
    },
    (failure) => setError(wordsOf(failure)),
  )
  const [rotate, isRotating] = useAction(async () => {
    setRotating(false)
    const answer = await api.post('/console/api/apps/:app_id/webhook/rotate-secret', { params })
    client.setQueryData(queryKey, answer.endpoint)
    setSecret(answer.secret)
  })
  const [ping, pinging] = useAction(async () => {
    await api.post('/console/api/apps/:app_id/webhook/ping', { params })
    notify('A ping is on its way.')
    await onPing()
  })
  const endpoint = query.data
  return (
    <Card title="Endpoint">
      {query.isPending && <Loading what="the endpoint" />}
      {query.isError && <Failed error={query.error} retry={() => void query.refetch()} />}
      {endpoint && (
        <>
          <form
            className={pageStyles.form}
            onSubmit={(event) => {
              event.preventDefault()
              save(String(new FormData(event.currentTarget).get('url')).trim())
            }}
          >
            <TextField
              key={endpoint.url}
              label="URL"
              name="url"
              type="url"
              maxLength={2048}
              defaultValue={endpoint.url ?? ''}
              hint="Empty stops deliveries. Must be reachable from this server."
              error={error}
            />
            <div className={pageStyles.row}>
              <Button type="submit" variant="primary" busy={saving} reason={against('webhook.write')}>
                Save
              </Button>
              <Button
                busy={pinging}
                reason={against('webhook.write') ?? (endpoint.url === null ? 'Set a URL first' : null)}
                onClick={ping}
              >
                Send a ping
              </Button>
            </div>
          </form>
          <div className={pageStyles.row}>
            <span>
              Signing secret <code>{endpoint.secret_masked}</code>
            </span>
            <span className="muted">
              changed <Time at={endpoint.updated_at} />
            </span>
            <Button
              busy={isRotating}
              reason={against('webhook.rotate_secret')}
              onClick={() => setRotating(true)}
            >
              Rotate secret
            </Button>
          </div>
        </>
      )}
      <ConfirmDialog
        title="Rotate the signing secret"
        action="Rotate"
        open={rotating}
        busy={isRotating}
        onConfirm={rotate}
        onClose={() => setRotating(false)}
      >
        The next attempt of every delivery, pending ones too, is signed with the new secret. Receivers must
        know it by then.
      </ConfirmDialog>
      {secret && (
        <SecretDialog
          title="New signing secret"
          values={[['Webhook secret', secret]]}
          onClose={() => setSecret(null)}
        />
      )}
    </Card>
  )
}
