import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { accountQuery, useAccount } from '../../api/account.ts'
import { api, keepCsrfToken } from '../../api/client.ts'
import { notify } from '../../app/notices.tsx'
import { setShortcutsEnabled, useShortcutsEnabled } from '../../app/shortcuts.ts'
import { applyTheme, readTheme, type Theme } from '../../app/theme.ts'
import { wordsOfCode } from '../../lib/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { CheckField, SelectField, TextField } from '../../ui/field.tsx'
import { Card, Page, pageStyles } from '../../ui/page.tsx'
import { SecretDialog } from '../../ui/secret-dialog.tsx'
import { Failed, Loading, wordsOf } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { useAction } from '../../ui/use-action.ts'
import { AuthenticatorApp } from '../login/authenticator-app.tsx'
import { Passkeys } from './passkeys.tsx'

/** The signed-in user: preferences, password, second factors, sessions. */
export function AccountPage() {
  const { user } = useAccount()
  return (
    <Page title="Account" lead={`${user.email}, ${wordsOfCode(user.role).toLowerCase()}`}>
      <Preferences />
      <Password />
      <Passkeys />
      <OtherFactors />
      <SignIns />
    </Page>
  )
}

function Preferences() {
  const [theme, setTheme] = useState<Theme>(readTheme())
  const shortcuts = useShortcutsEnabled()
  return (
    <Card title="Preferences">
      <div className={pageStyles.form}>
        <SelectField
          label="Colours"
          value={theme}
          options={[
            ['system', 'As the system'],
            ['light', 'Light'],
            ['dark', 'Dark'],
          ]}
          onChange={(event) => {
            const next = event.target.value as Theme
            setTheme(next)
            applyTheme(next)
          }}
        />
        <CheckField
          label="Single-key shortcuts"
          hint="Letters that act at once, such as j and k. Press ? on any page to see them."
          checked={shortcuts}
          onChange={(event) => setShortcutsEnabled(event.target.checked)}
        />
      </div>
    </Card>
  )
}

function Password() {
  const client = useQueryClient()
  const [error, setError] = useState<string>()
  const [change, busy] = useAction(
    async (form: HTMLFormElement) => {
      setError(undefined)
      const data = new FormData(form)
      keepCsrfToken(
        await api.post('/console/api/me/password', {
          body: { current_password: String(data.get('current')), new_password: String(data.get('new')) },
        }),
      )
      form.reset()
      notify('Your password is changed. Every other session ended.')
      await client.invalidateQueries({ queryKey: ['sign-ins'] })
    },
    (failure) => setError(wordsOf(failure)),
  )
  const { user } = useAccount()
  return (
    <Card title="Password">
      <form
        className={pageStyles.form}
        onSubmit={(event) => {
          event.preventDefault()
          change(event.currentTarget)
        }}
      >
        <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
        <TextField
          label="Current password"
          name="current"
          type="password"
          autoComplete="current-password"
          required
        />
        <TextField
          label="New password"
          name="new"
          type="password"
          autoComplete="new-password"
          minLength={12}
          maxLength={256}
          required
          hint="At least 12 characters."
          error={error}
        />
        <div className={pageStyles.row}>
          <Button type="submit" variant="primary" busy={busy}>
            Change password
          </Button>
        </div>
      </form>
    </Card>
  )
}

function OtherFactors() {
  const client = useQueryClient()
  const { second_factor } = useAccount()
  const [codes, setCodes] = useState<string[] | null>(null)
  const [settingUp, setSettingUp] = useState(false)
  const [renew, busy] = useAction(async () => {
    const { recovery_codes } = await api.post('/console/api/me/recovery-codes', {})
    await showCodes(recovery_codes)
  })
  const showCodes = async (fresh: string[]) => {
    setCodes(fresh)
    await client.invalidateQueries({ queryKey: accountQuery.queryKey })
    await client.invalidateQueries({ queryKey: ['sign-ins'] })
  }
  return (
    <Card title="Authenticator app and recovery codes">
      <div className={pageStyles.row}>
        <span>Authenticator app:</span>
        {second_factor.authenticator_app ? <Badge tone="ok">Set up</Badge> : <Badge>Not set up</Badge>}
        <Button onClick={() => setSettingUp(true)}>
          {second_factor.authenticator_app ? 'Replace the app' : 'Set up an app'}
        </Button>
        <span>{second_factor.recovery_codes_left} recovery codes left</span>
        <Button busy={busy} onClick={renew}>
          New recovery codes
        </Button>
      </div>
      {/* Unmounted when closed, so that the next attempt starts with a new secret. */}
      {settingUp && (
        <Dialog title="Set up an authenticator app" open onClose={() => setSettingUp(false)}>
          <AuthenticatorApp
            onCodes={(fresh) => {
              setSettingUp(false)
              void showCodes(fresh)
            }}
          />
          <DialogActions>
            <Button onClick={() => setSettingUp(false)}>Cancel</Button>
          </DialogActions>
        </Dialog>
      )}
      {codes && (
        <SecretDialog
          title="New recovery codes"
          values={[['The old ones have ended', codes.join('  ')]]}
          onClose={() => setCodes(null)}
        />
      )}
    </Card>
  )
}

function SignIns() {
  const client = useQueryClient()
  const queryKey = ['sign-ins']
  const list = useQuery({
    queryKey,
    queryFn: async () => (await api.get('/console/api/me/sessions', {})).data,
  })
  const refresh = () => client.invalidateQueries({ queryKey })
  const [end] = useAction(async (id: string) => {
    await api.delete('/console/api/me/sessions/:sign_in_id', { params: { sign_in_id: id } })
    notify('Signed out there.')
    await refresh()
  })
  const [endOthers, busy] = useAction(async () => {
    await api.delete('/console/api/me/sessions', {})
    notify('Signed out everywhere else.')
    await refresh()
  })
  return (
    <Card
      title="Where you are signed in"
      actions={
        <Button busy={busy} onClick={endOthers}>
          Sign out everywhere else
        </Button>
      }
    >
      {list.isPending && <Loading what="the list" />}
      {list.isError && <Failed error={list.error} retry={() => void list.refetch()} />}
      {list.data && (
        <Table
          caption="Where you are signed in"
          rows={list.data}
          rowKey={({ id }) => id}
          columns={[
            {
              name: 'Device',
              cell: ({ device, current }) => (
                <>
                  {device} {current && <Badge tone="info">This one</Badge>}
                </>
              ),
            },
            { name: 'Address', cell: ({ address }) => address ?? '–' },
            { name: 'Since', cell: ({ created_at }) => <Time at={created_at} /> },
            { name: 'Last seen', cell: ({ last_seen_at }) => <Time at={last_seen_at} /> },
            {
              name: 'Actions',
              hideName: true,
              cell: ({ id, current, device }) =>
                !current && (
                  <Button aria-label={`Sign out on ${device}`} onClick={() => end(id)}>
                    Sign out
                  </Button>
                ),
            },
          ]}
        />
      )}
    </Card>
  )
}
