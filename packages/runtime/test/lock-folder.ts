// A process that locks a folder, prints its pid, and holds the lock until it is killed or its standard input ends. If
// it does not get the lock, it prints the error message instead.
import { FolderInUseError, lockFolder } from '../src/folder-lock.ts'

try {
  const lock = await lockFolder(process.argv[2] ?? '')
  process.stdout.write(`${JSON.stringify({ locked: process.pid })}\n`)
  process.stdin.resume()
  process.stdin.once('end', () => void lock.release())
} catch (error) {
  if (!(error instanceof FolderInUseError)) throw error
  process.stdout.write(`${JSON.stringify({ refused: error.message, owner: error.owner })}\n`)
  process.exitCode = 1
}
