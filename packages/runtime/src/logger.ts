import winston from 'winston'
import { logOutput } from './log-output.ts'

/** What a part of the system may do with a logger. Messages are fixed texts; values go into the fields. */
export type Logger = {
  debug(message: string, fields?: Record<string, unknown>): void
  info(message: string, fields?: Record<string, unknown>): void
  warn(message: string, fields?: Record<string, unknown>): void
  error(message: string, fields?: Record<string, unknown>): void
  child(fields: Record<string, unknown>): Logger
}

/** Names of fields that never reach a log line, whatever put them there. */
const personalFields = new Set([
  'full_name', 'name', 'surname', 'given_names', 'first_name', 'last_name', 'date_of_birth', 'birth_date',
  'document_number', 'nationality', 'email', 'address', 'phone', 'mobile', 'pan', 'qr_text', 'lines', 'mrz',
  'image', 'photo', 'embedding', 'metadata', 'contact', 'note', 'password', 'code', 'token', 'session_token',
  'secret', 'api_key', 'x-api-key', 'authorization', 'cookie', 'key', 'body', 'identity', 'query',
]) // biome-ignore format: a list of words

const redacted = '[redacted]'

/** Copies `value` with personal fields replaced, errors reduced to name, message and stack, depth bounded. */
export function redact(value: unknown, depth = 0): unknown {
  if (depth > 6) return '[deep]'
  if (value instanceof Error) {
    const cause = value.cause === undefined ? {} : { cause: redact(value.cause, depth + 1) }
    return { name: value.name, message: value.message, stack: value.stack, ...cause }
  }
  if (Buffer.isBuffer(value) || ArrayBuffer.isView(value))
    return `[${(value as Uint8Array).byteLength} bytes]`
  if (Array.isArray(value)) return value.slice(0, 50).map((item) => redact(item, depth + 1))
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        personalFields.has(key.toLowerCase()) && item !== null ? redacted : redact(item, depth + 1),
      ]),
    )
  }
  // A flow token in a path is a credential.
  if (typeof value === 'string') return value.replace(/\/flow\/[^/\s?"]+/g, '/flow/:token')
  return value
}

const redactFormat = winston.format((info) => {
  for (const key of Object.keys(info)) {
    if (key === 'level' || key === 'message' || key === 'timestamp' || key === 'service') continue
    info[key] = personalFields.has(key.toLowerCase()) ? redacted : redact(info[key])
  }
  return info
})

/** A child may speak for another service of the same process; winston's default fields would win over it. */
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

/** A logger that says nothing: for tests and for library use. */
export const silentLogger: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => silentLogger,
}
