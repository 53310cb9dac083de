import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

export type ServiceProcess = {
  child: ChildProcess
  kill(signal?: NodeJS.Signals): Promise<void>
  output(): string
}

/** A service as in production: its built `main.js` (the e2e run builds first). `stdout`: an open file for its log. */
export function startProcess(
  service: string,
  environment: Record<string, string>,
  stdout: number | 'pipe' = 'pipe',
): ServiceProcess {
  const child = spawn(process.execPath, [`services/${service}/dist/main.js`], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...environment },
    stdio: ['ignore', stdout, 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-20_000)
    })
  }
  return {
    child,
    output: () => output,
    kill: async (signal = 'SIGTERM') => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill(signal)
      await ended
    },
  }
}

/** Resolves when `url` answers 200; rejects with the process output if it exits first or takes too long. */
export async function untilUp(url: string, process_: ServiceProcess, deadlineMs = 60_000): Promise<void> {
  const deadline = Date.now() + deadlineMs
  for (;;) {
    const status = await fetch(url).then(
      (response) => response.status,
      () => 0,
    )
    if (status === 200) return
    if (process_.child.exitCode !== null || Date.now() > deadline) {
      throw new Error(`${url} did not come up:\n${process_.output()}`)
    }
    await new Promise((resume) => setTimeout(resume, 100))
  }
}
