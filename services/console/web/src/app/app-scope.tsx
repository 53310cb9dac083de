import { Outlet } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useAccount } from '../api/account.ts'
import { Page } from '../ui/page.tsx'
import { Empty } from '../ui/states.tsx'
import { keepApp, useAppId } from './app-choice.ts'
import { useLive } from './live.ts'

/** All pages of one app. Remembers it as the last one used, and keeps data up to date with one stream. */
export function AppScope() {
  const appId = useAppId()
  const { apps } = useAccount()
  const known = apps.some((app) => app.app_id === appId)
  useEffect(() => {
    if (known) keepApp(appId)
  }, [appId, known])
  useLive(known ? appId : null)
  if (known) return <Outlet key={appId} />
  return (
    <Page title="Unknown app">
      <Empty title="There is no such app, or you do not see it" />
    </Page>
  )
}
