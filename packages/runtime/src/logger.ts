import winston from 'winston'
import { logOutput } from './log-output.ts'

/** The logging interface. Messages are constant texts; values go into the fields. */
export type Logger = {
  debug(message: string, fields?: Record<string, unknown>): void
  info(message: string, fields?: Record<string, unknown>): void
  warn(message: string, fields?: Record<string, unknown>): void
  error(message: string, fields?: Record<string, unknown>): void
  child(fields: Record<string, unknown>): Logger
}

/** Fields whose values are never logged, however the name is written (`full_name`, `fullName`, `full-name`). */
const personalFields = new Set([
  'fullname', 'name', 'surname', 'givennames', 'firstname', 'lastname', 'dateofbirth', 'birthdate',
  'documentnumber', 'nationality', 'email', 'address', 'phone', 'mobile', 'pan', 'qrtext', 'lines', 'mrz',
  'image', 'photo', 'embedding', 'metadata', 'contact', 'note', 'password', 'code', 'token', 'sessiontoken',
  'resulttoken', 'secret', 'apikey', 'xapikey', 'authorization', 'cookie', 'setcookie', 'key', 'body', 'identity',
  'query',
]) // biome-ignore format: a list of words

const isPersonal = (field: string) => personalFields.has(field.toLowerCase().replace(/[^a-z]/g, ''))

/** A flow token in a path is a credential. */
const maskTokens = (text: string) => text.replace(/\/flow\/[^/\s?"]+/g, '/flow/:token')

const redacted = '[redacted]'

/** Copies `value` with personal fields replaced, errors reduced to name, message and stack, and limited depth. */
export function redact(value: unknown, depth = 0): unknown {
  if (depth > 6) return '[deep]'
  if (value instanceof Error) {
    const cause = value.cause === undefined ? {} : { cause: redact(value.cause, depth + 1) }
    const stack = value.stack && maskTokens(value.stack)
    return { name: value.name, message: maskTokens(value.message), stack, ...cause }
  }
  if (Buffer.isBuffer(value) || ArrayBuffer.isView(value))
    return `[${(value as Uint8Array).byteLength} bytes]`
  if (Array.isArray(value)) return value.slice(0, 50).map((item) => redact(item, depth + 1))
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        isPersonal(key) && item !== null ? redacted : redact(item, depth + 1),
      ]),
    )
  }
  return typeof value === 'string' ? maskTokens(value) : value
}

const redactFormat = winston.format((info) => {
  for (const key of Object.keys(info)) {
    if (key === 'level' || key === 'message' || key === 'timestamp' || key === 'service') continue
    info[key] = isPersonal(key) ? redacted : redact(info[key])
  }
  return info
})

/**
 * A child logger may belong to another service of the same process; winston's default fields would override its service
 * name.
 */
const nameService = (service: string) =>
  winston.format((info) => {
    info.service ??= service
    return info
  })()

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

/** A JSON logger on standard output, or on `stream`. */
export function createLogger(options: {
  service: string
  level?: LogLevel
  stream?: NodeJS.WritableStream
}): Logger {
  const level = options.level ?? 'info'
  return winston.createLogger({
    level: level === 'silent' ? 'error' : level,
    silent: level === 'silent',
    format: winston.format.combine(
      nameService(options.service),
      redactFormat(),
      winston.format.timestamp(),
      winston.format.json(),
    ),
    transports: [new winston.transports.Stream({ stream: options.stream ?? logOutput() })],
  }) as Logger
}

/** A logger without output, for tests and for library use. */
export const silentLogger: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => silentLogger,
}
