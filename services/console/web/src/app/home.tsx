import { Navigate } from '@tanstack/react-router'
import { useAccount } from '../api/account.ts'
import { Page } from '../ui/page.tsx'
import { Empty } from '../ui/states.tsx'
import { lastApp } from './app-choice.ts'

/** The start page: the queue of the app that was used last. */
export function Home() {
  const { apps } = useAccount()
  const last = lastApp()
  const app = apps.find(({ app_id }) => app_id === last) ?? apps[0]
  if (app) return <Navigate to="/apps/$appId/queue" params={{ appId: app.app_id }} replace />
  return (
    <Page title="No app">
      <Empty title="You see no app yet">
        <p>An owner can give you access to one under Users.</p>
      </Empty>
    </Page>
  )
}
