import { ApiError } from '@kyc/web-kit'
import {
  createRootRoute,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { accountQuery } from '../api/account.ts'
import { queryClient } from '../api/query-client.ts'
import { Empty, Failed, Loading } from '../ui/states.tsx'
import * as search from './search.ts'

const RouteFailed = ({ error, reset }: ErrorComponentProps) => <Failed error={error} retry={reset} />

const root = createRootRoute({
  component: Outlet,
  notFoundComponent: () => (
    <Empty title="There is nothing at this address">
      <a href="/console/">Go to the queue</a>
    </Empty>
  ),
})

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: search.login,
  component: lazyRouteComponent(() => import('../views/login/login-page.tsx'), 'LoginPage'),
})
const link = createRoute({
  getParentRoute: () => root,
  path: '/link',
  component: lazyRouteComponent(() => import('../views/login/link-page.tsx'), 'LinkPage'),
})

/** All routes that require a sign-in. */
const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  beforeLoad: async ({ location }) => {
    const account = await queryClient.ensureQueryData(accountQuery).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 401) return null
      throw error
    })
    if (account?.state !== 'full') throw redirect({ to: '/login', search: { next: location.href } })
  },
  component: lazyRouteComponent(() => import('./shell.tsx'), 'Shell'),
})

const home = createRoute({
  getParentRoute: () => shell,
  path: '/',
  component: lazyRouteComponent(() => import('./home.tsx'), 'Home'),
})
const app = createRoute({
  getParentRoute: () => shell,
  path: '/apps/$appId',
  component: lazyRouteComponent(() => import('./app-scope.tsx'), 'AppScope'),
})

const queue = createRoute({
  getParentRoute: () => app,
  path: '/queue',
  validateSearch: search.queue,
  component: lazyRouteComponent(() => import('../views/queue/queue-page.tsx'), 'QueuePage'),
})
const sessions = createRoute({
  getParentRoute: () => app,
  path: '/sessions',
  validateSearch: search.sessions,
  component: lazyRouteComponent(() => import('../views/sessions/sessions-page.tsx'), 'SessionsPage'),
})
const session = createRoute({
  getParentRoute: () => app,
  path: '/sessions/$sessionId',
  component: lazyRouteComponent(() => import('../views/session/session-page.tsx'), 'SessionPage'),
})
const workflows = createRoute({
  getParentRoute: () => app,
  path: '/workflows',
  component: lazyRouteComponent(() => import('../views/workflows/workflows-page.tsx'), 'WorkflowsPage'),
})
const workflow = createRoute({
  getParentRoute: () => app,
  path: '/workflows/$workflowId',
  component: lazyRouteComponent(() => import('../views/workflows/workflow-page.tsx'), 'WorkflowPage'),
})
const analytics = createRoute({
  getParentRoute: () => app,
  path: '/analytics',
  validateSearch: search.analytics,
  component: lazyRouteComponent(() => import('../views/analytics/analytics-page.tsx'), 'AnalyticsPage'),
})
const keys = createRoute({
  getParentRoute: () => app,
  path: '/keys',
  component: lazyRouteComponent(() => import('../views/keys/keys-page.tsx'), 'KeysPage'),
})
const webhooks = createRoute({
  getParentRoute: () => app,
  path: '/webhooks',
  validateSearch: search.deliveries,
  component: lazyRouteComponent(() => import('../views/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
})
const settings = createRoute({
  getParentRoute: () => app,
  path: '/settings',
  component: lazyRouteComponent(() => import('../views/settings/settings-page.tsx'), 'SettingsPage'),
})
const blockList = createRoute({
  getParentRoute: () => app,
  path: '/block-list',
  component: lazyRouteComponent(() => import('../views/lists/block-list-page.tsx'), 'BlockListPage'),
})
const lists = createRoute({
  getParentRoute: () => shell,
  path: '/lists',
  component: lazyRouteComponent(() => import('../views/lists/lists-page.tsx'), 'ListsPage'),
})
const audit = createRoute({
  getParentRoute: () => shell,
  path: '/audit',
  validateSearch: search.audit,
  component: lazyRouteComponent(() => import('../views/audit/audit-page.tsx'), 'AuditPage'),
})
const users = createRoute({
  getParentRoute: () => shell,
  path: '/users',
  component: lazyRouteComponent(() => import('../views/users/users-page.tsx'), 'UsersPage'),
})
const account = createRoute({
  getParentRoute: () => shell,
  path: '/account',
  component: lazyRouteComponent(() => import('../views/account/account-page.tsx'), 'AccountPage'),
})

const routeTree = root.addChildren([
  login,
  link,
  shell.addChildren([
    home,
    app.addChildren([
      queue,
      sessions,
      session,
      workflows,
      workflow,
      analytics,
      keys,
      webhooks,
      settings,
      blockList,
    ]),
    lists,
    audit,
    users,
    account,
  ]),
])

export const router = createRouter({
  routeTree,
  basepath: '/console',
  defaultPreload: 'intent',
  defaultErrorComponent: RouteFailed,
  defaultPendingComponent: () => <Loading what="the page" />,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
