import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from '../free-port.ts'
import { randomText } from '../ids.ts'
import type { Logger } from '../logger.ts'
import { type Placement, placeServer } from './embedded-placement.ts'
import { endOrphan } from './orphan.ts'

export type EmbeddedDatabase = { url: string; stop(): Promise<void> }

/**
 * A real PostgreSQL from an npm package, its data in `folder`, kept between starts, on a loopback port with a
 * password of its own. A server that an earlier process left running (killed, not stopped) is ended first.
 */
export async function startEmbeddedPostgres(options: {
  folder: string
  logger: Logger
  /** Settings of the server, by their names in `postgresql.conf`. */
  settings?: Record<string, string>
}): Promise<EmbeddedDatabase> {
  const { logger } = options
  await mkdir(options.folder, { recursive: true })
  const placement = await placeServer(options.folder)
  const data = join(placement.folder, 'data')
  const password = await readPassword(join(options.folder, 'postgres-password'))
  await endOrphan(data, logger)
  if (!existsSync(join(data, 'PG_VERSION'))) await initialise(placement, data, password)

  const port = await freePort()
  const settings = { port: String(port), ...options.settings }
  const supervised = await superviseServer(() => startServer(placement, data, settings, logger), logger)
  const address = `postgresql://kyc:${password}@127.0.0.1:${port}`
  await createDatabase(`${address}/postgres`)
  logger.info('embedded PostgreSQL is up', { port })
  return { url: `${address}/kyc`, stop: supervised.stop }
}

async function readPassword(file: string): Promise<string> {
  if (existsSync(file)) return (await readFile(file, 'utf8')).trim()
  const password = randomText(32)
  await writeFile(file, password, { mode: 0o600 })
  return password
}

async function initialise(placement: Placement, data: string, password: string): Promise<void> {
  // A first start that was cut short leaves a half-made folder: nothing was ever stored in it.
  await rm(data, { recursive: true, force: true })
  await mkdir(data, { recursive: true })
  const passwordFile = join(placement.folder, 'initial-password')
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (placement.user) {
    await chown(data, placement.user.uid, placement.user.gid)
    await chown(passwordFile, placement.user.uid, placement.user.gid)
  }
  try {
    const arguments_ = [
      '-D',
      data,
      '-U',
      'kyc',
      '--pwfile',
      passwordFile,
      '-E',
      'UTF8',
      '--locale=C',
      '-A',
      'scram-sha-256',
      '-N',
    ]
    await new Promise<void>((resolve, reject) => {
      const child = spawn(placement.initdb, arguments_, {
        ...placement.user,
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      let errors = ''
      child.stderr.on('data', (chunk: Buffer) => {
        errors += chunk.toString()
      })
      child.once('error', reject)
      child.once('close', (code) =>
        code === 0 ? resolve() : reject(new Error(`initdb ended with ${code}: ${errors.trim()}`)),
      )
    })
  } finally {
    await rm(passwordFile, { force: true })
  }
}

type Server = ReturnType<typeof spawn>

function startServer(
  placement: Placement,
  data: string,
  settings: Record<string, string>,
  logger: Logger,
): Promise<Server> {
  const flags = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '300',
    shared_buffers: '128MB',
    ...settings,
  }
  const child = spawn(
    placement.postgres,
    ['-D', data, ...Object.entries(flags).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    // A group of its own: a Ctrl-C in the terminal must not end the database before the services have drained.
    { ...placement.user, detached: true, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  return new Promise((resolve, reject) => {
    let output = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      const text = chunk.toString()
      output = (output + text).slice(-4_000)
      logger.debug('postgres', { line: text.trim() })
      if (text.includes('database system is ready to accept connections')) resolve(child)
    })
    child.once('error', reject)
    child.once('close', (code) => reject(new Error(`PostgreSQL ended with ${code}: ${output.trim()}`)))
  })
}

const restartAfterMs = 500

/** Starts the server again, on the same port, when it ends without having been told to. */
async function superviseServer(
  start: () => Promise<Server>,
  logger: Logger,
): Promise<{ stop(): Promise<void> }> {
  let stopping = false
  let current = await start()
  let restart: NodeJS.Timeout | undefined
  const watch = (server: Server) => {
    server.once('exit', (code, signal) => {
      if (stopping) return
      logger.error('PostgreSQL ended by itself and is started again', { code, signal })
      const again = () => {
        start().then(
          (next) => {
            current = next
            watch(next)
            if (stopping) void stopServer(next)
          },
          (error: unknown) => {
            logger.error('PostgreSQL could not be started again', { error })
            if (!stopping) restart = setTimeout(again, restartAfterMs)
          },
        )
      }
      restart = setTimeout(again, restartAfterMs)
    })
  }
  watch(current)
  return {
    stop: async () => {
      stopping = true
      clearTimeout(restart)
      await stopServer(current)
    },
  }
}

/** Fast shutdown: transactions in progress are rolled back, data is flushed. */
function stopServer(server: Server): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    server.once('exit', () => resolve())
    server.kill('SIGINT')
  })
}

async function createDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rowCount } = await client.query("SELECT 1 FROM pg_database WHERE datname = 'kyc'")
    if (rowCount === 0) await client.query('CREATE DATABASE kyc')
  } finally {
    await client.end()
  }
}
