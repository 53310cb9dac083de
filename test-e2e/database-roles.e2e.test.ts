import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { silentLogger, startEmbeddedPostgres } from '@kyc/runtime'
import { rabbitmqIsInstalled } from '@kyc/testing'
import pg from 'pg'
import { apiClient } from './support/api.ts'
import { deployedServices, startDeployment } from './support/deployment.ts'
import { startReceiver } from './support/receiver.ts'
import { temporaryFolder } from './support/system.ts'

const script = fileURLToPath(new URL('../infra/postgres/10-services.sh', import.meta.url))
const hasPsql = spawnSync('psql', ['--version']).status === 0
if (!hasPsql) process.stdout.write('skipped: the roles of a real installation (psql is not installed)\n')

const schemaOf = (service: string) => service.replaceAll('-', '_')
const schemas = deployedServices.map(schemaOf)
const refused = { code: '42501' }

;(hasPsql ? describe : describe.skip)('on the roles that an installation makes', () => {
  let folder: string
  let server: Awaited<ReturnType<typeof startEmbeddedPostgres>>

  const urlAs = (role: string) => {
    const url = new URL(server.url)
    url.username = role
    url.password = `${role}-password`
    return url.href
  }
  const as = async <T>(role: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
    const client = new pg.Client({ connectionString: urlAs(role) })
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end()
    }
  }

  beforeAll(async () => {
    folder = await temporaryFolder()
    server = await startEmbeddedPostgres({
      folder: join(folder, 'postgres'),
      logger: silentLogger,
      settings: { max_connections: '200' },
    })
    const { hostname, port, username, password, pathname } = new URL(server.url)
    execFileSync('sh', [script], {
      env: {
        PATH: process.env.PATH ?? '',
        PGHOST: hostname,
        PGPORT: port,
        PGPASSWORD: password,
        POSTGRES_USER: username,
        POSTGRES_DB: pathname.slice(1),
        MIGRATION_DB_PASSWORD: 'kyc_owner-password',
        ...Object.fromEntries(
          schemas.map((schema) => [`${schema.toUpperCase()}_DB_PASSWORD`, `kyc_${schema}-password`]),
        ),
      },
    })
    // The command of a cluster's migration Jobs.
    await Promise.all(
      deployedServices.map((service) =>
        promisify(execFile)(
          process.execPath,
          [fileURLToPath(new URL(`../services/${service}/dist/main.js`, import.meta.url)), 'migrate'],
          { env: { PATH: process.env.PATH ?? '', DATABASE_URL: urlAs('kyc_owner') } },
        ),
      ),
    )
  }, 300_000)
  afterAll(async () => {
    await server?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  test.each(schemas)(
    '%s can change its rows but no table, and cannot read the other schemas',
    async (schema) => {
      await as(`kyc_${schema}`, async (client) => {
        const { rows } = await client.query<{ tablename: string; tableowner: string }>(
          'SELECT tablename, tableowner FROM pg_tables WHERE schemaname = $1 ORDER BY 1',
          [schema],
        )
        expect(rows.length).toBeGreaterThan(1)
        for (const { tablename, tableowner } of rows) {
          expect(tableowner).toBe('kyc_owner')
          await client.query(`SELECT FROM ${schema}.${tablename} LIMIT 1`)
          const { rows: may } = await client.query<{ may: boolean }>(
            `SELECT bool_and(has_table_privilege($1, wanted)) AS may FROM unnest('{INSERT,UPDATE,DELETE}'::text[]) AS wanted`,
            [`${schema}.${tablename}`],
          )
          expect(may).toEqual([{ may: true }])
          await expect(client.query(`TRUNCATE ${schema}.${tablename}`)).rejects.toMatchObject(refused)
        }
        const table = rows[0]?.tablename
        for (const statement of [
          `CREATE TABLE ${schema}.mine (id int)`,
          'CREATE TABLE public.mine (id int)',
          'CREATE SCHEMA mine',
          'CREATE ROLE mine',
          `ALTER TABLE ${schema}.${table} DISABLE TRIGGER ALL`,
          `DROP TABLE ${schema}.${table}`,
          `DROP SCHEMA ${schema} CASCADE`,
          `GRANT SELECT ON ${schema}.${table} TO PUBLIC; SELECT * FROM pg_authid`,
        ])
          await expect(client.query(statement)).rejects.toMatchObject(refused)
        for (const other of schemas.filter((each) => each !== schema))
          await expect(client.query(`SELECT FROM ${other}._prisma_migrations`)).rejects.toMatchObject(refused)
      })
    },
  )

  const withBroker = rabbitmqIsInstalled()
  if (!withBroker)
    process.stdout.write('skipped: the services on roles without DDL (rabbitmq-server is not installed)\n')
  ;(withBroker ? test : test.skip)(
    'every service does its work without the right to change a table',
    async () => {
      const receiver = await startReceiver()
      const deployment = await startDeployment({
        database: { url: server.url, drop: async () => {} },
        environment: Object.fromEntries(
          deployedServices.map((service) => [
            service,
            { DATABASE_URL: urlAs(`kyc_${schemaOf(service)}`), MIGRATE_ON_START: 'false' },
          ]),
        ),
      })
      try {
        const app = await deployment.createApp(receiver.url)
        receiver.useSecret(app.webhook_secret)
        const api = apiClient(deployment.baseUrl, app.api_key)
        const { body } = await api.post<{ session_id: string }>('/v1/sessions', {
          metadata: { test_scenario: 'aml_match' },
        })
        const path = `/v1/sessions/${body.session_id}`
        await api.post(`/v1/test/sessions/${body.session_id}/advance`, { to: 'processing' })
        await receiver.until(({ data }) => data.session_id === body.session_id && data.status === 'in_review')
        expect((await api.patch(`${path}/status`, { status: 'approved', note: 'seen' })).status).toBe(200)
        await receiver.until(({ data }) => data.session_id === body.session_id && data.status === 'approved')
        expect((await api.post('/v1/checks/aml', { full_name: 'Erika Beispiel' })).status).toBeLessThan(500)
        expect((await api.delete(path)).status).toBe(204)
        await receiver.close()
      } finally {
        await deployment.stop()
      }
    },
    240_000,
  )
})
