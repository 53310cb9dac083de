import { fstatSync, writeSync } from 'node:fs'
import { Writable } from 'node:stream'

let dropped = 0

/**
 * The number of lines that could not be written to the log, because the disk was full or the reader had closed the
 * pipe.
 */
export const droppedLogLines = (): number => dropped

/**
 * The destination of log lines. It never makes the service fail: a line that cannot be written is dropped and counted.
 * Files are written directly, because Node's stream for standard output throws into the caller when the disk is full,
 * and then buffers every later line in memory.
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

/** Appends lines to the open file `fd`. */
export function fileOutput(fd: number): Writable {
  // A line that was written only in part because the disk was full is terminated before the next line.
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
  // Without a listener, a closed pipe (EPIPE) would end the process.
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
