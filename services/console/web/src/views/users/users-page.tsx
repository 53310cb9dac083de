import type { ConsoleRole } from '@kyc/common'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useAccount, useReasonAgainst } from '../../api/account.ts'
import { api, type Got } from '../../api/client.ts'
import { notify } from '../../app/notices.tsx'
import { wordsOfCode } from '../../lib/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyValue } from '../../ui/copy-value.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Failed, Loading } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { ExactTime, Time } from '../../ui/time.tsx'
import { useAction } from '../../ui/use-action.ts'
import { InviteUser } from './invite-user.tsx'

type Users = Got<'/console/api/users'>
type User = Users['data'][number]
type Invitation = Users['invitations'][number]
export type SentLink = { mailed: boolean; link: string | null; expires_at: string }

/** Which roles each role manages. A copy of the server's rule, only to explain disabled buttons; the server decides. */
const managed: Record<ConsoleRole, readonly ConsoleRole[]> = {
  reviewer: [],
  admin: ['reviewer'],
  owner: ['reviewer', 'admin', 'owner'],
}

const queryKey = ['users']

/** Null: no factor yet, so the user can only enrol. */
function factorsOf({ second_factors: { passkeys, authenticator_app } }: User): string | null {
  const words = [
    ...(passkeys === 0 ? [] : [passkeys === 1 ? '1 passkey' : `${passkeys} passkeys`]),
    ...(authenticator_app ? ['Authenticator app'] : []),
  ]
  return words.length === 0 ? null : words.join(', ')
}

export function UsersPage() {
  const client = useQueryClient()
  const { user: me, apps } = useAccount()
  const against = useReasonAgainst()
  const readReason = against('user.read')
  const list = useQuery({
    queryKey,
    queryFn: () => api.get('/console/api/users', {}),
    enabled: readReason === null,
  })
  const [inviting, setInviting] = useState(false)
  const [link, setLink] = useState<SentLink | null>(null)
  const refresh = () => client.invalidateQueries({ queryKey })
  const [change] = useAction(
    async (user: User, body: { role?: ConsoleRole; disabled?: boolean }, done: string) => {
      await api.patch('/console/api/users/:user_id', { params: { user_id: user.id }, body })
      notify(done)
      await refresh()
    },
  )
  const [signOut] = useAction(async (user: User) => {
    await api.post('/console/api/users/:user_id/sign-out', { params: { user_id: user.id } })
    notify(`${user.email} is signed out everywhere.`)
  })
  const [reset] = useAction(async (user: User) => {
    setLink(await api.post('/console/api/users/:user_id/password-reset', { params: { user_id: user.id } }))
  })
  const [removeFactors] = useAction(async (user: User) => {
    await api.delete('/console/api/users/:user_id/second-factor', { params: { user_id: user.id } })
    notify(`${user.email} is signed out and sets up a second factor at the next sign-in.`)
    await refresh()
  })
  const [withdraw] = useAction(async ({ id, email }: Invitation) => {
    await api.delete('/console/api/users/invitations/:invitation_id', { params: { invitation_id: id } })
    notify(`The invitation of ${email} is withdrawn.`)
    await refresh()
  })
  const appsOf = (ids: readonly string[] | null) =>
    ids === null
      ? 'All'
      : ids.map((id) => apps.find((app) => app.app_id === id)?.name ?? id.slice(0, 10)).join(', ')
  const entriesOf = (user: User) => {
    const reason =
      against('user.manage') ??
      (user.id === me.id ? 'Not yourself' : managed[me.role].includes(user.role) ? null : 'Above your role')
    return [
      ...managed[me.role]
        .filter((role) => role !== user.role)
        .map((role) => ({
          id: `role-${role}`,
          label: `Make ${role}`,
          reason,
          onChoose: () => change(user, { role }, `${user.email} is ${role} now.`),
        })),
      user.disabled_at === null
        ? {
            id: 'disable',
            label: 'Disable',
            reason,
            onChoose: () => change(user, { disabled: true }, `${user.email} is disabled and signed out.`),
          }
        : {
            id: 'enable',
            label: 'Enable',
            reason,
            onChoose: () => change(user, { disabled: false }, `${user.email} may sign in again.`),
          },
      { id: 'sign-out', label: 'Sign out everywhere', reason, onChoose: () => signOut(user) },
      { id: 'reset', label: 'Send a password reset', reason, onChoose: () => reset(user) },
      {
        id: 'device',
        label: 'Remove the second factors',
        reason: reason ?? (factorsOf(user) === null ? 'None set up' : null),
        onChoose: () => removeFactors(user),
      },
    ]
  }
  const columns: readonly Column<User>[] = [
    {
      name: 'Person',
      cell: ({ name, email, id }) => (
        <>
          {name ?? email} {id === me.id && <Badge>You</Badge>}
          {name && <div className="muted">{email}</div>}
        </>
      ),
    },
    { name: 'Role', cell: ({ role }) => wordsOfCode(role) },
    { name: 'Apps', cell: ({ app_ids }) => appsOf(app_ids) },
    {
      name: 'Second factor',
      cell: (user) => factorsOf(user) ?? <Badge tone="warn">None yet</Badge>,
    },
    { name: 'Last sign-in', cell: ({ last_signed_in_at: at }) => (at ? <Time at={at} /> : 'Never') },
    {
      name: 'State',
      cell: ({ disabled_at }) =>
        disabled_at ? <Badge tone="bad">Disabled</Badge> : <Badge tone="ok">Active</Badge>,
    },
    {
      name: 'Actions',
      hideName: true,
      cell: (user) => (
        <Menu
          icon
          variant="quiet"
          ariaLabel={`Actions for ${user.email}`}
          label={<Icon name="more" />}
          entries={entriesOf(user)}
        />
      ),
    },
  ]
  const invitationColumns: readonly Column<Invitation>[] = [
    { name: 'Invited', cell: ({ email }) => email },
    { name: 'Role', cell: ({ role }) => wordsOfCode(role) },
    { name: 'Apps', cell: ({ app_ids }) => appsOf(app_ids) },
    { name: 'Until', cell: ({ expires_at }) => <ExactTime at={expires_at} /> },
    {
      name: 'Actions',
      hideName: true,
      cell: (invitation) => (
        <Button
          aria-label={`Withdraw the invitation of ${invitation.email}`}
          onClick={() => withdraw(invitation)}
        >
          Withdraw
        </Button>
      ),
    },
  ]
  return (
    <Page
      title="Users"
      lead="Reviewers decide; admins also change workflows, keys and webhooks; owners also manage admins, apps and secrets."
      actions={
        <Button variant="primary" reason={against('user.manage')} onClick={() => setInviting(true)}>
          Invite
        </Button>
      }
    >
      {readReason !== null && (
        <Empty title="The list of users is not open to you">
          <p>{readReason}.</p>
        </Empty>
      )}
      {readReason === null && list.isPending && <Loading what="the users" />}
      {list.isError && <Failed error={list.error} retry={() => void list.refetch()} />}
      {list.data && (
        <Table caption="Console users" columns={columns} rows={list.data.data} rowKey={({ id }) => id} />
      )}
      {list.data && list.data.invitations.length > 0 && (
        <>
          <h2>Open invitations</h2>
          <Table
            caption="Open invitations"
            columns={invitationColumns}
            rows={list.data.invitations}
            rowKey={({ id }) => id}
          />
        </>
      )}
      {inviting && (
        <InviteUser
          roles={managed[me.role]}
          onClose={() => setInviting(false)}
          onSent={(sent) => {
            setInviting(false)
            setLink(sent)
            void refresh()
          }}
        />
      )}
      <Dialog title="Link sent" open={link !== null} onClose={() => setLink(null)}>
        {link?.mailed && <p>It was mailed. It works once, for an hour.</p>}
        {link?.link && (
          <>
            <p>
              This server sends no mail, so hand this link to the person yourself. It works once, for an hour.
            </p>
            <CopyValue label="Link" value={link.link} />
          </>
        )}
        <DialogActions>
          <Button variant="primary" onClick={() => setLink(null)}>
            Done
          </Button>
        </DialogActions>
      </Dialog>
    </Page>
  )
}
