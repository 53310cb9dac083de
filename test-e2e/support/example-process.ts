import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'

/** Whether a program is installed on this machine. */
export const has = (program: string, ...args: string[]): boolean =>
  spawnSync(program, args, { stdio: 'ignore' }).status === 0

export type ExampleProcess = {
  child: ChildProcess
  lines(): string[]
  /** Resolves with the first line that matches; rejects with the whole output. */
  until(pattern: RegExp, deadlineMs?: number): Promise<string>
  stop(): Promise<void>
}

/** A program of an example, with its own environment. */
export function startExample(
  command: string,
  args: readonly string[],
  options: { cwd: string; env: Record<string, string> },
): ExampleProcess {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: { PATH, HOME, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  const waiting = new Set<() => void>()
  const lines = () => said.split('\n').filter((line) => line !== '')
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      for (const look of waiting) look()
    })
  }
  const ended = once(child, 'exit')
  return {
    child,
    lines,
    until: (pattern, deadlineMs = 60_000) =>
      new Promise((resolve, reject) => {
        const finish = (result: () => void) => {
          clearTimeout(timer)
          waiting.delete(look)
          result()
        }
        const fail = () => finish(() => reject(new Error(`nothing like ${pattern} was said:\n${said}`)))
        const look = () => {
          const found = lines().find((line) => pattern.test(line))
          if (found !== undefined) finish(() => resolve(found))
        }
        const timer = setTimeout(fail, deadlineMs)
        waiting.add(look)
        void ended.then(() => {
          look()
          if (waiting.has(look)) fail()
        })
        look()
      }),
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
      await ended
    },
  }
}
