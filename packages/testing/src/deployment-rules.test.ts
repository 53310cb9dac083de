import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from '@jest/globals'
import { parse, parseAllDocuments } from 'yaml'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

type Container = {
  environment?: Record<string, unknown> | null
  ports?: string[]
  networks?: string[]
  image?: string
  command?: unknown
}
const compose = parse(read('docker-compose.yml'), { merge: true }) as {
  services: Record<string, Container>
  networks: Record<string, { internal?: boolean }>
}

type Resource = {
  kind: string
  metadata: { name: string; labels?: Record<string, string> }
  spec: Record<string, unknown>
  data?: Record<string, string>
}
const manifests = (readdirSync(join(root, 'k8s'), { recursive: true }) as string[])
  .filter((file) => file.endsWith('.yaml'))
  .flatMap((file) =>
    parseAllDocuments(read(`k8s/${file}`)).map((document) => ({
      file,
      resource: document.toJS() as Resource,
    })),
  )
  .filter(({ resource }) => resource?.kind !== undefined)
const ofKind = (kind: string) => manifests.filter(({ resource }) => resource.kind === kind)

const secretName = /PASSWORD|SECRET|_KEY$|^VAULT_KEY|TOKEN|_URL$/
const isCredential = (name: string) => secretName.test(name) && !/_KEY_ID$|_KEY_FILE$|_PUBLIC_KEY$/.test(name)

describe('docker-compose.yml', () => {
  const values = Object.entries(compose.services).flatMap(([service, { environment }]) =>
    Object.entries(environment ?? {}).map(([name, value]) => ({ service, name, value: String(value) })),
  )

  test('has no default for any password, key or token, and refuses to start without them', () => {
    const credentials = values.filter(({ name }) => isCredential(name) && !name.endsWith('_URL'))
    expect(credentials.length).toBeGreaterThan(30)
    for (const { service, name, value } of credentials)
      expect(`${service} ${name}: ${value}`).toMatch(/: \$\{[A-Z0-9_]+:\?\}$/)
    // A connection string contains its password in the same way.
    for (const { service, name, value } of values.filter(({ value }) => /:\/\/[^/]*@/.test(value)))
      expect(`${service} ${name}: ${value}`).toMatch(/:\/\/\w*:\$\{[A-Z0-9_]+:\?\}@/)
    const text = read('docker-compose.yml')
    expect(text).toMatch(/--requirepass, "\$\{REDIS_PASSWORD:\?\}"/)
    expect(text).not.toMatch(/guest|changeme|POSTGRES_HOST_AUTH_METHOD|ALLOW_EMPTY_PASSWORD/i)
  })

  test('.env.example contains no secret', () => {
    const lines = [...read('.env.example').matchAll(/^([A-Z0-9_]+)=(.*)$/gm)]
    const secrets = lines.filter(([, name = '']) => isCredential(name) && !name.endsWith('_URL'))
    expect(secrets.length).toBeGreaterThan(12)
    expect(secrets.filter(([, , value]) => value !== '').map(([line]) => line)).toEqual([])
  })

  test("publishes only the gateway's port, and allows outbound traffic only to the services that need it", () => {
    const open = Object.entries(compose.services).filter(([, { ports }]) => ports !== undefined)
    expect(open.map(([name]) => name)).toEqual(['gateway'])
    expect(
      Object.entries(compose.networks)
        .filter(([, network]) => !network.internal)
        .map(([name]) => name),
    ).toEqual(['edge', 'outbound'])
    const outward = Object.entries(compose.services)
      .filter(([, { networks }]) => networks?.some((network) => network === 'outbound'))
      .map(([name]) => name)
    expect(outward.sort()).toEqual(['console', 'flow', 'mail', 'sanctions-screening', 'webhook-dispatcher'])
    for (const [name, { networks }] of Object.entries(compose.services))
      expect({ name, networks: networks?.length ?? 0 }).not.toEqual({ name, networks: 0 })
  })

  test('gives every service a separate database role, and the vault key only to those that open evidence', () => {
    const holders = (name: string) =>
      values.filter((entry) => entry.name === name).map(({ service, value }) => [service, value] as const)
    const databases = holders('DATABASE_URL').filter(([service]) => !['migrate', 'ops'].includes(service))
    expect(databases).toHaveLength(8)
    for (const [service, url] of databases) expect(url).toContain(`://kyc_${service.replaceAll('-', '_')}:`)
    expect(holders('VAULT_KEY').map(([service]) => service)).not.toContain('gateway')
    expect(holders('INTERNAL_IDENTITY_PRIVATE_KEY').map(([service]) => service)).toEqual(['gateway'])
    expect(holders('RESULT_TOKEN_SECRET').map(([service]) => service)).toEqual(['flow'])
    expect(
      holders('AUDIT_SIGNING_KEY')
        .map(([service]) => service)
        .sort(),
    ).toEqual(['console', 'ops'])
  })
})

describe('the Kubernetes manifests', () => {
  type Rule = { to?: { ipBlock?: { cidr: string; except?: string[] } }[]; ports?: { port: number }[] }
  const policies = ofKind('NetworkPolicy').filter(({ file }) => file.startsWith('base/'))
  const spec = (resource: Resource) =>
    resource.spec as { podSelector: object; policyTypes: string[]; ingress?: unknown[]; egress?: Rule[] }

  test('deny all traffic of the namespace that no policy allows', () => {
    const [deny] = policies.filter(({ resource }) => resource.metadata.name === 'default-deny')
    expect(deny && spec(deny.resource)).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] })
    expect(parse(read('k8s/base/network/kustomization.yaml')).resources).toContain('default-deny.yaml')
    expect(parse(read('k8s/base/kustomization.yaml')).resources).toContain('network')
  })

  test('restrict every service in both directions, and allow four to reach public addresses only', () => {
    const services = readdirSync(join(root, 'k8s/base')).filter((name) =>
      existsSync(join(root, `k8s/base/${name}/deployment.yaml`)),
    )
    expect(services).toHaveLength(8)
    const outward: string[] = []
    for (const service of services) {
      const own = policies.filter(({ file }) => file === `base/${service}/network-policy.yaml`)
      expect(parse(read(`k8s/base/${service}/kustomization.yaml`)).resources).toContain('network-policy.yaml')
      expect(own.map(({ resource }) => spec(resource).policyTypes)).toEqual([['Ingress', 'Egress']])
      for (const { resource } of own) {
        const rules = spec(resource).egress ?? []
        for (const { to } of rules) {
          expect(to?.length ?? 0).toBeGreaterThan(0)
          for (const { ipBlock } of to ?? []) {
            if (!ipBlock) continue
            outward.push(service)
            const inner =
              ipBlock.cidr === '::/0'
                ? ['fc00::/7', 'fe80::/10', '::1/128']
                : [
                    '10.0.0.0/8',
                    '172.16.0.0/12',
                    '192.168.0.0/16',
                    '100.64.0.0/10',
                    '169.254.0.0/16',
                    '127.0.0.0/8',
                  ]
            expect(ipBlock.except).toEqual(inner)
          }
        }
      }
    }
    expect([...new Set(outward)].sort()).toEqual([
      'console',
      'flow',
      'sanctions-screening',
      'webhook-dispatcher',
    ])
  })

  test('give each service a separate database secret, contain no secret value, and mount no service account token', () => {
    expect(ofKind('Secret')).toEqual([])
    for (const { resource } of ofKind('ConfigMap'))
      expect(
        Object.keys(resource.data ?? {}).filter((name) => isCredential(name) && !name.endsWith('_URL')),
      ).toEqual([])
    const deployments = ofKind('Deployment').filter(({ file }) =>
      /^base\/[\w-]+\/deployment\.yaml$/.test(file),
    )
    expect(deployments).toHaveLength(8)
    for (const { resource } of deployments) {
      const { name } = resource.metadata
      const text = JSON.stringify(resource)
      const database = /"name":"DATABASE_URL","valueFrom":\{"secretKeyRef":\{"name":"([\w-]+)"/.exec(
        text,
      )?.[1]
      expect(database).toBe(`kyc-${name}`)
      expect(text).toContain('"automountServiceAccountToken":false')
      expect(text.includes('kyc-vault')).toBe(name !== 'gateway')
      expect(text.includes('INTERNAL_IDENTITY_PRIVATE_KEY')).toBe(name === 'gateway')
      expect(text.includes('RESULT_TOKEN_SECRET')).toBe(name === 'flow')
    }
  })
})

describe('images', () => {
  test('contain only the files that each package lists: no repository and no environment file', () => {
    const ignored = read('.dockerignore').split('\n')
    for (const entry of ['.git', '.env', '.data']) expect(ignored).toContain(entry)
    expect(ignored.filter((line) => line.startsWith('!'))).toEqual([])
    const text = read('infra/docker/Dockerfile')
    const stages = text.split(/^(?=FROM )/m).slice(1)
    const final = stages.filter((stage) => /^FROM runtime AS/.test(stage))
    expect(final.length).toBeGreaterThanOrEqual(9)
    for (const stage of final) {
      const copies = [...stage.matchAll(/^(?:COPY|ADD) (.*)$/gm)].map(([, what]) => what)
      expect(copies).toEqual([expect.stringMatching(/^--from=[\w-]+-files \/out \/app$/)])
    }
    const base = stages.find((stage) => /^FROM \S+ AS runtime/.test(stage)) ?? ''
    expect([...base.matchAll(/^(?:COPY|ADD) (.*)$/gm)].map(([, what]) => what)).toEqual([
      'infra/docker/health.mjs /app/health.mjs',
    ])
    expect(base).toMatch(/^USER 1000:1000$/m)
    // A package consists of its `files`.
    for (const parent of ['packages', 'services']) {
      for (const name of readdirSync(join(root, parent))) {
        const manifest = join(root, parent, name, 'package.json')
        if (!existsSync(manifest)) continue
        const { files = [] } = JSON.parse(readFileSync(manifest, 'utf8')) as { files?: string[] }
        for (const file of files) expect(file).not.toMatch(/^\.|^test|^\*/)
      }
    }
  })

  test('no file tracked by git contains a private key', () => {
    const { stdout } = spawnSync(
      'git',
      ['grep', '-lE', '-----BEGIN ([A-Z]+ )?PRIVATE KEY-----|AKIA[0-9A-Z]{16}|"d" *: *"[A-Za-z0-9_-]{43}"'],
      { cwd: root, encoding: 'utf8' },
    )
    expect(stdout.split('\n').filter((file) => file !== '' && !/\.test\.ts$|\/test\//.test(file))).toEqual([])
  })
})
