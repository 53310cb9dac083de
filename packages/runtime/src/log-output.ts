import { fstatSync, writeSync } from 'node:fs'
import { Writable } from 'node:stream'

let dropped = 0

/** Lines this process could not write to its log: the disk under it was full, or nobody reads it any more. */
export const droppedLogLines = (): number => dropped

/**
 * Where log lines go: never a reason for the service to fail. A line that cannot be written is dropped and counted.
 * A file is written directly, for Node's own stream of standard output throws into the caller when its disk is full, and
 * keeps every later line in memory.
 */
export function logOutput(fd: 1 | 2 = 1): Writable {
  return isFile(fd) ? fileOutput(fd) : pipeOutput(fd === 1 ? process.stdout : process.stderr)
}

function isFile(fd: number): boolean {
  try {
    return fstatSync(fd).isFile()
  } catch {
    return false
  }
}

/** `fd`: an open file, appended to line by line. */
export function fileOutput(fd: number): Writable {
  // A line of which a part was written before the disk was full ends before the next one begins.
  let torn = false
  return new Writable({
    decodeStrings: true,
    write(chunk: Buffer, _encoding, done) {
      try {
        const line = torn ? Buffer.concat([Buffer.from('\n'), chunk]) : chunk
        const written = writeSync(fd, line)
        if (written < line.length) dropped++
        torn = written < line.length && (torn || written > 0)
      } catch {
        dropped++
      }
      done()
    },
  })
}

function pipeOutput(stream: NodeJS.WriteStream): Writable {
  // Without a listener, a reader that went away (EPIPE) would end the process.
  if (!stream.listeners('error').includes(ignore)) stream.on('error', ignore)
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      stream.write(chunk, (error) => {
        if (error) dropped++
      })
      done()
    },
  })
}

const ignore = () => undefined
