import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@kyc/runtime'

const program = ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin']
  .map((folder) => join(folder, 'redis-server'))
  .find((path) => existsSync(path))

export const redisIsInstalled = (): boolean => program !== undefined

export type RedisServer = { url: string; kill(): Promise<void>; start(): Promise<void> }

/** A private in-memory Redis on 127.0.0.1; `kill` sends SIGKILL, `start` restarts it on the same port. */
export async function startRedis(): Promise<RedisServer> {
  const port = await freePort()
  let child: ChildProcess | undefined
  const start = () =>
    new Promise<void>((resolve, reject) => {
      const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
      child = spawn(program ?? 'redis-server', options, { stdio: ['ignore', 'pipe', 'ignore'] })
      child.once('error', reject)
      child.once('exit', (code) => reject(new Error(`redis-server ended with ${code}`)))
      child.stdout?.on('data', (chunk: Buffer) => {
        if (chunk.includes('Ready to accept connections')) resolve()
      })
    })
  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    kill: () =>
      new Promise((resolve) => {
        if (!child || child.exitCode !== null || child.signalCode !== null) return resolve()
        child.removeAllListeners('exit')
        child.once('exit', () => resolve())
        child.kill('SIGKILL')
      }),
  }
}
