import {
  allConsoleEndpoints,
  allEndpoints,
  type Caller,
  defaultMaxBodyBytes,
  type Endpoint,
  type KeyScope,
  type ServiceName,
  scopeOf,
} from '@kyc/common'

/** The parts of an endpoint that the gateway uses. */
export type Route = {
  operation: string
  service: ServiceName
  /** The contract's method, in upper case. HEAD is routed, and forwarded, as GET. */
  method: string
  caller: Caller
  /** The scope that a key with scopes needs; null if the endpoint needs no key. */
  scope: KeyScope | null
  costly: boolean
  /**
   * What the contract permits as a request body: one that it defines (`content`); none, although the method has one
   * (`empty`: an empty JSON object, which many clients send with every POST, counts as none); or none at all (`none`).
   */
  body: 'content' | 'empty' | 'none'
  max_body_bytes: number
  /** The service responds when something changes, or after a timeout. */
  long_poll: boolean
  /** A console endpoint that responds only to signed-in users. */
  signed_in: boolean
}

type Node = { literals: Map<string, Literal>; parameter: Node | undefined; routes: Map<string, Route> }
type Literal = { segment: string; node: Node }
const newNode = (): Node => ({ literals: new Map(), parameter: undefined, routes: new Map() })

/** Pages and their assets, whose paths belong to their service. They are read-only. */
const pages: readonly { prefix: string; except?: string; route: Route }[] = [
  { prefix: '/docs', route: pageRoute('docs', 'gateway') },
  { prefix: '/console', except: 'api', route: pageRoute('console', 'console') },
  { prefix: '/flow-assets', route: pageRoute('flowAssets', 'flow') },
]

function pageRoute(operation: string, service: ServiceName): Route {
  return {
    operation,
    service,
    method: 'GET',
    caller: 'anyone',
    scope: null,
    costly: false,
    body: 'none',
    max_body_bytes: 0,
    long_poll: false,
    signed_in: false,
  }
}

type Named = Endpoint & { operationId: string }
const declared: readonly Named[] = [...allEndpoints, ...allConsoleEndpoints]

/** Enough for an empty object in any formatting. */
const emptyBodyBytes = 64

const routeOfEndpoint = (endpoint: Named): Route => ({
  operation: endpoint.operationId,
  service: endpoint.service,
  method: endpoint.method.toUpperCase(),
  caller: endpoint.caller,
  scope: endpoint.caller === 'api_key' ? scopeOf(endpoint) : null,
  costly: endpoint.costly ?? false,
  ...bodyOf(endpoint),
  long_poll: endpoint.long_poll ?? false,
  signed_in: endpoint.access !== undefined && endpoint.access.session !== 'none',
})

function bodyOf({ method, body, multipart, max_body_bytes }: Named): Pick<Route, 'body' | 'max_body_bytes'> {
  if (body || multipart) return { body: 'content', max_body_bytes: max_body_bytes ?? defaultMaxBodyBytes }
  const hasOne = method === 'post' || method === 'put' || method === 'patch'
  return hasOne ? { body: 'empty', max_body_bytes: emptyBodyBytes } : { body: 'none', max_body_bytes: 0 }
}

/** Finds the endpoint of a request from the contracts alone. */
export function createRouteTable(endpoints: readonly Named[] = declared) {
  const root = newNode()
  for (const endpoint of endpoints) {
    let node = root
    for (const segment of endpoint.path.slice(1).split('/')) {
      if (segment.startsWith(':')) {
        node.parameter ??= newNode()
        node = node.parameter
      } else {
        const literal = node.literals.get(segment.toLowerCase()) ?? { segment, node: newNode() }
        node.literals.set(segment.toLowerCase(), literal)
        node = literal.node
      }
    }
    node.routes.set(endpoint.method.toUpperCase(), routeOfEndpoint(endpoint))
  }

  /**
   * `path` is canonical and has no query. A method that an endpoint does not have is not found, like an unknown path.
   */
  return (method: string, path: string): Route | undefined => {
    const read = method === 'HEAD' ? 'GET' : method
    let node: Node | undefined = root
    for (const segment of path.slice(1).split('/')) {
      if (segment === '') return pageOf(read, path)
      const literal: Literal | undefined = node.literals.get(segment.toLowerCase())
      // Express ignores case, so without this check `/Export` would be routed as a parameter and served as `/export`.
      if (literal && literal.segment !== segment) return undefined
      node = literal?.node ?? node.parameter
      if (!node) return pageOf(read, path)
    }
    return node.routes.get(read) ?? pageOf(read, path)
  }
}

function pageOf(method: string, path: string): Route | undefined {
  if (method !== 'GET') return undefined
  const segments = path.split('/', 3)
  return pages.find(
    ({ prefix, except }) =>
      prefix.slice(1) === segments[1] && (except === undefined || except !== segments[2]?.toLowerCase()),
  )?.route
}
