import { close, constants, fstat, open, read } from 'node:fs'
import { promisify } from 'node:util'

const fileSize = promisify(fstat)

/** Wrapped keys and ledger entries are smaller than this; photos are larger. */
const firstBytes = 4_096

/**
 * Reads a file that never grows. A key is read for every session that is accessed, so a small file takes three calls
 * and no `FileHandle`, which needs three times the CPU time. A symbolic link is an error.
 */
export async function readWhole(path: string): Promise<Buffer> {
  const fd = await openToRead(path)
  try {
    const first = Buffer.allocUnsafe(firstBytes)
    const got = await readInto(fd, first, 0)
    if (got < firstBytes) return first.subarray(0, got)
    const { size } = await fileSize(fd)
    const whole = Buffer.allocUnsafe(size)
    first.copy(whole)
    return whole.subarray(0, await readInto(fd, whole, firstBytes))
  } finally {
    // Not awaited, because nothing was written and a failure could not be handled.
    close(fd, () => undefined)
  }
}

const openToRead = (path: string): Promise<number> =>
  new Promise((opened, fail) =>
    open(path, constants.O_RDONLY | constants.O_NOFOLLOW, (error, fd) => (error ? fail(error) : opened(fd))),
  )

/** Reads into `bytes` from offset `filled`, up to the end of the file; returns the new fill level. */
const readInto = (fd: number, bytes: Buffer, filled: number): Promise<number> =>
  new Promise((done, fail) => {
    const more = () =>
      read(fd, bytes, filled, bytes.length - filled, filled, (error, count) => {
        if (error) return fail(error)
        filled += count
        if (count === 0 || filled === bytes.length) done(filled)
        else more()
      })
    more()
  })
