import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { FolderInUseError, lockFolder } from './folder-lock.ts'

const program = fileURLToPath(new URL('../test/lock-folder.ts', import.meta.url))
const tsx = fileURLToPath(new URL('../../../node_modules/.bin/tsx', import.meta.url))

let folder: string
let children: ChildProcess[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kyc-lock-'))
})
afterEach(async () => {
  await Promise.all(children.map(kill))
  children = []
  rmSync(folder, { recursive: true, force: true })
})

type Report = { locked?: number; refused?: string; owner?: { pid: number; host: string; since: string } }

/** Starts a process that tries to lock the folder; resolves with its report. */
async function contend(): Promise<{ child: ChildProcess; report: Report }> {
  const child = spawn(tsx, ['--conditions=source', program, folder], { stdio: ['pipe', 'pipe', 'inherit'] })
  children.push(child)
  if (!child.stdout) throw new Error('the process has no standard output')
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  return { child, report: JSON.parse(line) as Report }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** tsx runs the program in a child process, so kill the reported pid, which holds the lock. */
async function killOwner({ child, report }: { child: ChildProcess; report: Report }): Promise<void> {
  const ended = once(child, 'exit')
  process.kill(report.locked ?? Number.NaN, 'SIGKILL')
  await ended
}

test('rejects a second process and names the owner, its start time and the folder', async () => {
  const first = await contend()
  const second = await contend()
  expect(second.report.owner).toEqual({
    pid: first.report.locked,
    host: hostname(),
    since: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  })
  expect(second.report.refused).toContain(`${folder} is in use by process ${first.report.locked} on `)
  expect(second.report.refused).toContain(`since ${second.report.owner?.since}`)
  const [code] = second.child.exitCode === null ? await once(second.child, 'exit') : [second.child.exitCode]
  expect(code).toBe(1)
})

test('of ten processes that start concurrently, exactly one gets the folder, and the others name it', async () => {
  const reports = (await Promise.all(Array.from({ length: 10 }, contend))).map(({ report }) => report)
  const winners = reports.filter((report) => report.locked !== undefined)
  expect(winners).toHaveLength(1)
  const named = reports.filter((report) => report.refused).map(({ owner }) => owner?.pid)
  expect(named).toEqual(Array(9).fill(winners[0]?.locked))
})

test('is free again as soon as its owner is killed', async () => {
  const first = await contend()
  await killOwner(first)
  expect((await contend()).report.locked).toBeGreaterThan(0)
})

test('a stale owner name does not lock the folder, even when its pid belongs to a running process', async () => {
  const stale = { pid: process.pid, host: hostname(), since: '2020-01-01T00:00:00.000Z' }
  writeFileSync(join(folder, 'owner.json'), JSON.stringify(stale))
  expect((await contend()).report.locked).toBeGreaterThan(0)
})

test('waits for the name of the current owner instead of naming a process that has ended', async () => {
  const lock = await lockFolder(folder)
  const gone = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
  await once(gone, 'exit')
  const stale = { pid: gone.pid, host: hostname(), since: '2020-01-01T00:00:00.000Z' }
  writeFileSync(join(folder, 'owner.json'), JSON.stringify(stale))
  const { report } = await contend()
  expect(report.refused).toContain('is in use by another process.')
  await lock.release()
})

test('names an owner on another host without checking its pid on this one', async () => {
  const lock = await lockFolder(folder)
  const elsewhere = { pid: 7, host: 'another-container', since: '2026-01-01T00:00:00.000Z' }
  writeFileSync(join(folder, 'owner.json'), JSON.stringify(elsewhere))
  expect((await contend()).report.refused).toContain('process 7 on another-container')
  await lock.release()
})

test('rejects a second caller in the same process, and stays locked for other processes', async () => {
  const lock = await lockFolder(folder)
  await expect(lockFolder(folder)).rejects.toThrow(FolderInUseError)
  // Closing a second descriptor of a file drops a process's POSIX locks on it, which SQLite must have prevented.
  expect((await contend()).report.owner?.pid).toBe(process.pid)
  await lock.release()
  expect((await contend()).report.locked).toBeGreaterThan(0)
})

test('releases the folder and deletes the owner name', async () => {
  const lock = await lockFolder(folder)
  await lock.release()
  expect(readdirSync(folder)).toEqual(['owner.lock'])
  const again = await lockFolder(folder)
  await again.release()
})

test('creates a folder that does not exist', async () => {
  const lock = await lockFolder(join(folder, 'a', 'b'))
  await lock.release()
})

test('a lock file that cannot be opened is named in the error', async () => {
  writeFileSync(join(folder, 'owner.lock'), 'not a database, so not ours'.repeat(100))
  chmodSync(join(folder, 'owner.lock'), 0o600)
  await expect(lockFolder(folder)).rejects.toThrow(
    `${join(folder, 'owner.lock')}: cannot be locked (file is not a database)`,
  )
})
