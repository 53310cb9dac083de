import {
  allEndpoints,
  type Caller,
  defaultMaxBodyBytes,
  type KeyScope,
  type ServiceName,
  scopeOf,
} from '@kyc/common'

/** What the gateway needs to know of an endpoint. */
export type Route = {
  operation: string
  service: ServiceName
  caller: Caller
  /** What a key with scopes must have; null where no key is asked for. */
  scope: KeyScope | null
  costly: boolean
  max_body_bytes: number
}

type Node = { literal: Map<string, Node>; parameter: Node | undefined; routes: Map<string, Route> }
const newNode = (): Node => ({ literal: new Map(), parameter: undefined, routes: new Map() })

/** Pages and their assets, whose paths are the services' own affair. */
const prefixes: readonly { prefix: string; route: Route }[] = [
  {
    prefix: '/docs',
    route: {
      operation: 'docs',
      service: 'gateway',
      caller: 'anyone',
      scope: null,
      costly: false,
      max_body_bytes: 0,
    },
  },
  {
    prefix: '/console',
    route: {
      operation: 'console',
      service: 'console',
      caller: 'anyone',
      scope: null,
      costly: false,
      max_body_bytes: 1024 * 1024,
    },
  },
  {
    prefix: '/flow-assets',
    route: {
      operation: 'flowAssets',
      service: 'flow',
      caller: 'anyone',
      scope: null,
      costly: false,
      max_body_bytes: 0,
    },
  },
]

/** Finds the endpoint of a request, from the contracts alone. */
export function createRouteTable(endpoints: typeof allEndpoints = allEndpoints) {
  const root = newNode()
  for (const endpoint of endpoints) {
    let node = root
    for (const segment of endpoint.path.slice(1).split('/')) {
      if (segment.startsWith(':')) {
        node.parameter ??= newNode()
        node = node.parameter
      } else {
        const next = node.literal.get(segment) ?? newNode()
        node.literal.set(segment, next)
        node = next
      }
    }
    node.routes.set(endpoint.method.toUpperCase(), {
      operation: endpoint.operationId,
      service: endpoint.service,
      caller: endpoint.caller,
      scope: endpoint.caller === 'api_key' ? scopeOf(endpoint) : null,
      costly: endpoint.costly ?? false,
      max_body_bytes: endpoint.max_body_bytes ?? defaultMaxBodyBytes,
    })
  }

  /** `path` without its query. A method that an endpoint does not have is as unknown as a path. */
  return (method: string, path: string): Route | undefined => {
    let node: Node | undefined = root
    for (const segment of path.slice(1).split('/')) {
      if (segment === '') return undefined
      node = node.literal.get(segment) ?? node.parameter
      if (!node) return prefixed(path)
    }
    return node.routes.get(method) ?? prefixed(path)
  }
}

const prefixed = (path: string): Route | undefined =>
  prefixes.find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`))?.route
