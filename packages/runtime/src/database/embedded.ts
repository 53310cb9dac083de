import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { lockFolder } from '../folder-lock.ts'
import { freePort } from '../free-port.ts'
import { randomText } from '../ids.ts'
import type { Logger } from '../logger.ts'
import { type Placement, placeServer } from './embedded-placement.ts'
import { stopOrphan } from './orphan.ts'

export type EmbeddedDatabase = { url: string; stop(): Promise<void> }

export type EmbeddedOptions = {
  folder: string
  logger: Logger
  /** Server settings, by their names in `postgresql.conf`. */
  settings?: Record<string, string>
}

/**
 * A real PostgreSQL from an npm package, with persistent data in `folder`, on a loopback port and with its own
 * password. Throws `FolderInUseError` when another process uses the folder. First stops a server that a killed process
 * left running.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const lock = await lockFolder(options.folder)
  try {
    const { url, stop } = await startLocked(options)
    return {
      url,
      stop: async () => {
        await stop()
        await lock.release()
      },
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}

async function startLocked(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const { logger } = options
  const placement = await placeServer(options.folder)
  const data = join(placement.folder, 'data')
  const password = await readPassword(join(options.folder, 'postgres-password'))
  await stopOrphan(data, logger)
  if (!existsSync(join(data, 'PG_VERSION'))) await initialise(placement, data, password)

  const port = await freePort()
  const settings = { port: String(port), ...options.settings }
  const supervised = await superviseServer(() => startServer(placement, data, settings, logger), logger)
  const address = `postgresql://kyc:${password}@127.0.0.1:${port}`
  try {
    await createDatabase(`${address}/postgres`)
  } catch (error) {
    await supervised.stop()
    throw error
  }
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
  // An interrupted first start leaves an incomplete folder, in which nothing was ever stored.
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
    // A separate process group, because a Ctrl-C in the terminal must not end the database before the services have
    // drained.
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

/** Restarts the server on the same port when it ends unexpectedly. */
async function superviseServer(
  start: () => Promise<Server>,
  logger: Logger,
): Promise<{ stop(): Promise<void> }> {
  let stopping = false
  let current = await start()
  let timer: NodeJS.Timeout | undefined
  let starting: Promise<void> | undefined
  const restart = async () => {
    try {
      current = await start()
      watch(current)
    } catch (error) {
      logger.error('PostgreSQL could not be restarted', { error })
      if (!stopping) scheduleRestart()
    }
  }
  const scheduleRestart = () => {
    timer = setTimeout(() => {
      starting = restart()
    }, restartAfterMs)
  }
  const watch = (server: Server) => {
    server.once('exit', (code, signal) => {
      if (stopping) return
      logger.error('PostgreSQL ended unexpectedly and is restarted', { code, signal })
      scheduleRestart()
    })
  }
  watch(current)
  return {
    stop: async () => {
      stopping = true
      clearTimeout(timer)
      // A restart in progress would otherwise outlive this process and the lock of its folder.
      await starting
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
