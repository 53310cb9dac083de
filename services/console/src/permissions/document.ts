import {
  allConsoleEndpoints,
  type ConsoleAction,
  type ConsoleRole,
  consoleActions,
  consoleRoles,
  type Endpoint,
  mayDo,
} from '@kyc/common'

/** Whether the authority lets a role call an endpoint. */
export function mayCall(role: ConsoleRole, endpoint: Endpoint): boolean {
  const action = endpoint.access?.action ?? null
  return action === null || mayDo(role, action)
}

const mark = (allowed: boolean) => (allowed ? 'yes' : '403')

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

const table = (head: readonly string[], rows: readonly string[][]) =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n')

/** The authorisation matrix, derived from the contracts and the permission table alone. */
export function permissionDocument(): string {
  const actions = Object.keys(consoleActions) as ConsoleAction[]
  const byAction = actions.map((action) => [
    `\`${action}\``,
    ...consoleRoles.map((role) => mark(mayDo(role, action))),
  ])
  const groups = [...new Set(allConsoleEndpoints.map((endpoint) => endpoint.tag))].map((tag) => {
    const rows = allConsoleEndpoints
      .filter((endpoint) => endpoint.tag === tag)
      .map((endpoint) => [
        `\`${endpoint.method.toUpperCase()} ${endpoint.path.replace('/console/api', '')}\``,
        endpoint.access?.action ? `\`${endpoint.access.action}\`` : '',
        signedIn(endpoint),
        ...consoleRoles.map((role) => mark(mayCall(role, endpoint))),
      ])
    return `### ${tag}\n\n${table(['Endpoint', 'Action', 'Signed in', ...consoleRoles], rows)}`
  })
  return `# Who may do what in the console

Written by \`npx --yes pnpm console-permissions\` from the contracts (\`packages/common/src/endpoints/console/\`) and the permission
table (\`packages/common/src/domain/console-permissions.ts\`); a test keeps it up to date, and another tries every cell.

- An app that a person does not see, and an object of another app, are 404 for everybody.
- *full*: both factors were given: password and code, password and passkey, or a passkey alone. Everything but enrolment, sign-out and
  \`GET /me\` requires it, whatever the role; otherwise 403 with the header \`x-sign-in-state\`: \`enrolment\` or \`second_factor\`.
- *begun*: the password was right. *anew*: both factors were given again within the last five minutes; otherwise 403 with the header
  \`x-reauthenticate: required\`.
- \`user.manage\` reaches the accounts of reviewers for an admin and all accounts for an owner.

## Actions

${table(['Action', ...consoleRoles], byAction)}

## Endpoints

Paths are below \`/console/api\`.

${groups.join('\n\n')}
`
}

function signedIn({ access }: Endpoint): string {
  if (access?.reauthenticate) return 'anew'
  return access?.session === 'none' ? 'not needed' : (access?.session ?? '')
}
