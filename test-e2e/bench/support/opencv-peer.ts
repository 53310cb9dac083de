import { execFile, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const script = fileURLToPath(new URL('./opencv-peer.py', import.meta.url))

export type OpencvPeer = {
  version: string
  /** Compares two files; returns wall time and CPU time in milliseconds from bytes to similarity. */
  compare(a: string, b: string): Promise<{ ms: number; processorMs: number; similarity: number }>
  stop(): Promise<void>
}

const hasOpencv = (python: string) =>
  run(python, ['-c', 'import cv2, numpy']).then(
    () => true,
    () => false,
  )

/** `KYC_BENCH_PYTHON` or python3 if it has cv2, otherwise a temporary virtual environment. */
async function findPython(): Promise<{ python: string; remove: () => Promise<void> }> {
  const given = process.env.KYC_BENCH_PYTHON ?? 'python3'
  if (await hasOpencv(given)) return { python: given, remove: async () => {} }
  const folder = await mkdtemp(join(tmpdir(), 'opencv-peer-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    await run(given, ['-m', 'venv', folder])
    await run(join(folder, 'bin', 'pip'), ['install', '--quiet', 'opencv-python-headless', 'numpy'])
    return { python: join(folder, 'bin', 'python'), remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/** OpenCV in Python as a process that responds line by line. Throws if it cannot be installed. */
export async function startOpencvPeer(files: {
  detector: string
  recogniser: string
  threads: number
}): Promise<OpencvPeer> {
  const { python, remove } = await findPython()
  const child = spawn(python, [script, files.detector, files.recogniser, String(files.threads)], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async () => {
    const { value, done } = await lines.next()
    if (done) throw new Error('OpenCV ended')
    return String(value)
  }
  const version = await next()
  return {
    version,
    async compare(a, b) {
      child.stdin.write(`${a}\t${b}\n`)
      const [ms, processorMs, similarity] = (await next()).split(' ').map(Number)
      return { ms: ms!, processorMs: processorMs!, similarity: similarity! }
    },
    async stop() {
      child.stdin.end()
      await new Promise<void>((resolve) => child.once('exit', () => resolve()))
      await remove()
    },
  }
}
