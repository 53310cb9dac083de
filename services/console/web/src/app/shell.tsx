import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useAccount } from '../api/account.ts'
import { api, setHooks } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { waitingQuery } from '../api/queue.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Keys } from '../ui/keys.tsx'
import { Menu } from '../ui/menu.tsx'
import { Loading } from '../ui/states.tsx'
import { lastApp, useAppId } from './app-choice.ts'
import { appViews, commonViews } from './navigation.ts'
import { Notices, notifyError } from './notices.tsx'
import { Reauthentication } from './reauthentication.tsx'
import styles from './shell.module.css'
import { ShortcutHelp } from './shortcut-help.tsx'
import { useShortcuts } from './shortcuts.ts'

const Palette = lazy(() => import('./palette.tsx').then(({ Palette: component }) => ({ default: component })))

/** The frame of every view: app selection, navigation, search, command palette, messages. */
export function Shell() {
  const { apps } = useAccount()
  const chosen = useAppId() || lastApp()
  const app = apps.find(({ app_id }) => app_id === chosen) ?? apps[0]
  const navigate = useNavigate()
  const searchField = useRef<HTMLInputElement>(null)
  const [open, setOpen] = useState<'palette' | 'help' | null>(null)
  const { data: waiting } = useQuery({ ...waitingQuery(app?.app_id ?? ''), enabled: app !== undefined })

  useEffect(() => {
    setHooks({
      signedOut: () => {
        queryClient.clear()
        location.assign(`/console/login?next=${encodeURIComponent(nextAddress())}`)
      },
    })
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      setOpen('palette')
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  const goes = app
    ? appViews
        .filter(({ go }) => go !== null)
        .map(({ to, name, go }) => ({
          keys: `g ${go}`,
          label: `Go to ${name}`,
          run: () => void navigate({ to, params: { appId: app.app_id } }),
        }))
    : []
  useShortcuts([
    { keys: '/', label: 'Search sessions', run: () => searchField.current?.focus() },
    { keys: '?', label: 'Show the keys', run: () => setOpen('help') },
    ...goes,
  ])

  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#main">
        Skip to the content
      </a>
      <header className={styles.top}>
        <Link to="/" className={styles.brand}>
          <img src="/console/favicon.svg" width={22} height={22} alt="" />
          <span className={styles.brandName}>Console</span>
        </Link>
        {app && <AppMenu app={app} />}
        {app && (
          <search className={styles.spacer}>
            <form
              onSubmit={(event) => {
                event.preventDefault()
                const text = searchField.current?.value.trim() ?? ''
                if (text === '') return
                const params = { appId: app.app_id }
                if (text.startsWith('ses_')) {
                  void navigate({
                    to: '/apps/$appId/sessions/$sessionId',
                    params: { ...params, sessionId: text },
                  })
                } else {
                  void navigate({ to: '/apps/$appId/sessions', params, search: { name: text } })
                }
              }}
            >
              <SearchInput fieldRef={searchField} />
            </form>
          </search>
        )}
        <Button onClick={() => setOpen('palette')} aria-keyshortcuts="Control+K Meta+K">
          Commands <Keys keys="Ctrl K" />
        </Button>
        <UserMenu />
      </header>
      <nav className={styles.rail} aria-label="Views">
        {app && (
          <ul>
            {appViews.map(({ to, name, icon }) => (
              <li key={to}>
                <Link
                  to={to}
                  params={{ appId: app.app_id }}
                  activeOptions={{ includeSearch: false }}
                  title={name}
                >
                  <Icon name={icon} />
                  <span>{name}</span>
                  {icon === 'queue' && waiting ? (
                    <span className={styles.count}>
                      {waiting}
                      <span className="visually-hidden"> waiting</span>
                    </span>
                  ) : null}
                </Link>
              </li>
            ))}
          </ul>
        )}
        <div>
          <div className={styles.group} id="rail-installation">
            Installation
          </div>
          <ul aria-labelledby="rail-installation">
            {commonViews.map(({ to, name, icon }) => (
              <li key={to}>
                <Link to={to} activeOptions={{ includeSearch: false }} title={name}>
                  <Icon name={icon} />
                  <span>{name}</span>
                </Link>
              </li>
            ))}
          </ul>
        </div>
      </nav>
      <main id="main" className={styles.main} tabIndex={-1}>
        <Suspense fallback={<Loading what="the page" />}>
          <Outlet />
        </Suspense>
      </main>
      {open === 'palette' && (
        <Suspense>
          <Palette appId={app?.app_id ?? null} onClose={() => setOpen(null)} />
        </Suspense>
      )}
      <ShortcutHelp open={open === 'help'} onClose={() => setOpen(null)} />
      <Reauthentication />
      <Notices />
    </div>
  )
}

const nextAddress = () => location.pathname.replace(/^\/console/, '') + location.search

const SearchInput = ({ fieldRef }: { fieldRef: React.RefObject<HTMLInputElement | null> }) => (
  <label className={styles.searchLabel}>
    <span className="visually-hidden">Search sessions by name or session id</span>
    <input
      ref={fieldRef}
      type="search"
      className={styles.search}
      placeholder="Name or session id"
      aria-keyshortcuts="/"
    />
  </label>
)

function AppMenu({ app }: { app: { app_id: string; name: string; environment: string } }) {
  const { apps } = useAccount()
  const navigate = useNavigate()
  return (
    <>
      <Menu
        variant="quiet"
        ariaLabel={`App ${app.name}, ${app.environment}. Change app`}
        label={
          <>
            {app.name}
            <Icon name="chevron" size={12} />
          </>
        }
        entries={apps.map(({ app_id, name, environment }) => ({
          id: app_id,
          label: name,
          end: environment,
          onChoose: () => void navigate({ to: '/apps/$appId/queue', params: { appId: app_id } }),
        }))}
      />
      {app.environment === 'live' ? <Badge tone="ok">Live</Badge> : <Badge tone="warn">Test</Badge>}
    </>
  )
}

function UserMenu() {
  const { user } = useAccount()
  const navigate = useNavigate()
  const signOut = () =>
    api
      .post('/console/api/logout', {})
      .then(() => {
        queryClient.clear()
        location.assign('/console/login')
      })
      .catch(notifyError)
  return (
    <Menu
      variant="quiet"
      ariaLabel={`Your account, ${user.name ?? user.email}`}
      label={
        <>
          <Icon name="users" />
          {user.name ?? user.email.split('@')[0]}
        </>
      }
      entries={[
        {
          id: 'account',
          label: 'Account and preferences',
          onChoose: () => void navigate({ to: '/account' }),
        },
        { id: 'out', label: 'Sign out', onChoose: () => void signOut() },
      ]}
    />
  )
}
