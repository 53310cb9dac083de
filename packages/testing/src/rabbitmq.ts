import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '@kyc/runtime'

export type RabbitmqNode = {
  /** `amqp://…` with the node's own user. */
  url: string
  /** The name of the node. */
  name: string
  /** Runs `rabbitmqctl` against the node; resolves to its output. */
  ctl(...command: string[]): Promise<string>
  /** Sends SIGKILL to simulate a crash. */
  kill(): Promise<void>
  /** Restarts it with the same data and port. */
  restart(): Promise<void>
  /** Stops the node and removes its folder. */
  stop(): Promise<void>
}

const installations = '/usr/lib/rabbitmq/lib'
const startTimeoutMs = 90_000

/** The scripts of an installed RabbitMQ server; undefined if there is none. */
function findScripts(): string | undefined {
  if (!existsSync(installations) || !existsSync('/usr/bin/epmd')) return undefined
  const versions = readdirSync(installations).filter((name) => name.startsWith('rabbitmq_server-'))
  const newest = versions.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1)
  return newest && join(installations, newest, 'sbin')
}

export const rabbitmqIsInstalled = (): boolean => findScripts() !== undefined

/**
 * The settings shared by the nodes of a cluster: the cookie with which they authenticate each other, and the port of
 * their name server.
 */
type Company = { cookie: string; epmdPort: number }

/**
 * Starts a private node of the installed RabbitMQ on 127.0.0.1 with its own ports, all files in a temporary folder,
 * without root (6 to 9 s). `settings` are lines of rabbitmq.conf.
 */
export async function startRabbitmq(settings: Record<string, string> = {}): Promise<RabbitmqNode> {
  const epmdPort = await freePort()
  const epmd = startNameServer(epmdPort)
  const company = { cookie: randomBytes(24).toString('hex'), epmdPort }
  const node = await startNode(settings, company).catch(async (error: unknown) => {
    await end(epmd, 'SIGTERM')
    throw error
  })
  return {
    ...node,
    async stop() {
      await node.stop()
      await end(epmd, 'SIGTERM')
    },
  }
}

/**
 * Starts a cluster of this many nodes; a quorum queue has a replica on each of them. `stop` of the cluster stops all
 * nodes.
 */
export async function startRabbitmqCluster(
  size: number,
  settings: Record<string, string> = {},
): Promise<{ nodes: RabbitmqNode[]; stop(): Promise<void> }> {
  const company = { cookie: randomBytes(24).toString('hex'), epmdPort: await freePort() }
  const epmd = startNameServer(company.epmdPort)
  const starts = await Promise.allSettled(Array.from({ length: size }, () => startNode(settings, company)))
  const nodes = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
  const stop = async () => {
    await Promise.all(nodes.map((node) => node.kill()))
    await Promise.all(nodes.map((node) => node.stop()))
    await end(epmd, 'SIGTERM')
  }
  try {
    for (const start of starts) if (start.status === 'rejected') throw start.reason
    const [first, ...others] = nodes
    // One after the other, because two nodes that join at the same time may reject each other.
    for (const node of others) {
      await node.ctl('stop_app')
      await node.ctl('join_cluster', first?.name ?? '')
      await node.ctl('start_app')
    }
    return { nodes, stop }
  } catch (error) {
    // The caller gets no handle on the nodes that did start.
    await stop()
    throw error
  }
}

/** Started as our own child process, because otherwise a node would start one that outlives it. */
const startNameServer = (port: number): ChildProcess =>
  spawn('epmd', ['-port', String(port), '-address', '127.0.0.1'], { stdio: 'ignore' })

async function startNode(
  settings: Record<string, string>,
  { cookie, epmdPort }: Company,
): Promise<RabbitmqNode> {
  const scripts = findScripts()
  if (!scripts) throw new Error('no rabbitmq-server is installed')
  const folder = await mkdtemp(join(tmpdir(), 'rabbitmq-'))
  const [port, distPort] = [await freePort(), await freePort()]
  const name = `test${port}@localhost`
  const environment = {
    PATH: process.env.PATH,
    LANG: 'C.UTF-8',
    HOME: folder,
    RABBITMQ_NODENAME: name,
    RABBITMQ_MNESIA_BASE: join(folder, 'mnesia'),
    RABBITMQ_LOG_BASE: join(folder, 'log'),
    RABBITMQ_CONFIG_FILE: join(folder, 'rabbitmq.conf'),
    RABBITMQ_CONF_ENV_FILE: join(folder, 'no-such-file'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'enabled_plugins'),
    RABBITMQ_PID_FILE: join(folder, 'pid'),
    RABBITMQ_GENERATED_CONFIG_DIR: join(folder, 'generated'),
    RABBITMQ_DIST_PORT: String(distPort),
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-kernel inet_dist_use_interface {127,0,0,1}',
    RABBITMQ_CTL_ERL_ARGS: '-kernel inet_dist_use_interface {127,0,0,1}',
    ERL_EPMD_ADDRESS: '127.0.0.1',
    ERL_EPMD_PORT: String(epmdPort),
    // Makes the script become the node instead of supervising it, so that our signals reach the node.
    RUNNING_UNDER_SYSTEMD: 'true',
  }
  const configuration = {
    'listeners.tcp.default': `127.0.0.1:${port}`,
    'vm_memory_high_watermark.absolute': '512MB',
    'disk_free_limit.absolute': '64MB',
    ...settings,
  }
  const lines = Object.entries(configuration).map(([name, value]) => `${name} = ${value}\n`)
  await mkdir(join(folder, 'log'))
  await writeFile(environment.RABBITMQ_CONFIG_FILE, lines.join(''))
  await writeFile(environment.RABBITMQ_ENABLED_PLUGINS_FILE, '[].\n')
  await writeFile(join(folder, '.erlang.cookie'), cookie, { mode: 0o400 })

  const start = async () => {
    const child = spawn(join(scripts, 'rabbitmq-server'), [], { env: environment, stdio: 'ignore' })
    try {
      await listening(child, port)
    } catch (error) {
      child.kill('SIGKILL')
      const log = await readFile(join(folder, 'log', `${name}.log`), 'utf8').catch(() => '')
      throw new Error(`RabbitMQ did not start: ${log.slice(-2_000)}`, { cause: error })
    }
    return child
  }
  let node = await start()

  return {
    url: `amqp://guest:guest@127.0.0.1:${port}`,
    name,
    async ctl(...command) {
      const { stdout } = await promisify(execFile)(join(scripts, 'rabbitmqctl'), command, {
        env: environment,
      })
      return stdout
    },
    kill: () => end(node, 'SIGKILL'),
    async restart() {
      await end(node, 'SIGTERM')
      node = await start()
    },
    async stop() {
      await end(node, 'SIGTERM')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Stops one child process; does nothing if it has already exited. */
function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill(signal)
  })
}

/** Resolves when the node responds to AMQP, because the port is open before the node is ready. */
async function listening(child: ChildProcess, port: number): Promise<void> {
  const deadline = Date.now() + startTimeoutMs
  while (Date.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('it ended')
    if (await speaksAmqp(port)) return
    await delay(100)
  }
  throw new Error('it took too long')
}

/** Sends the protocol header of AMQP 0-9-1 (section 4.2.2); a broker responds with a method frame, type 1. */
function speaksAmqp(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.from('AMQP\0\0\x09\x01', 'latin1')))
    const finish = (spoke: boolean) => {
      socket.destroy()
      resolve(spoke)
    }
    socket.once('data', (frame) => finish(frame[0] === 1))
    socket.once('error', () => finish(false))
    socket.once('end', () => finish(false))
    socket.setTimeout(1_000, () => finish(false))
  })
}
