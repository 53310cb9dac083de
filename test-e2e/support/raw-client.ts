import { connect } from 'node:net'

export type ClientAnswer = { status: number; headers: Record<string, string>; body: string }

/** Writes bytes on a separate connection and reads until the server closes it. */
export function exchange(
  port: number,
  bytes: string | readonly string[],
  deadlineMs = 20_000,
): Promise<{ text: string; closed: boolean }> {
  return new Promise((resolve) => {
    const parts = typeof bytes === 'string' ? [bytes] : bytes
    const socket = connect(port, '127.0.0.1')
    let text = ''
    const timer = setTimeout(() => finish(false), deadlineMs)
    const finish = (closed: boolean) => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ text, closed })
    }
    socket.setNoDelay(true)
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
    })
    socket.on('error', () => undefined)
    socket.once('close', () => finish(true))
    for (const part of parts) socket.write(part, 'latin1')
  })
}

/** Parses responses strictly; throws at the first byte that belongs to none. `methods`: of the requests, in order. */
export function readAnswers(text: string, methods: readonly string[]): ClientAnswer[] {
  const answers: ClientAnswer[] = []
  let rest = text
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n')
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n')
    const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(first) ?? []
    if (end === -1 || status === undefined)
      throw new Error(`no answer: ${JSON.stringify(rest.slice(0, 200))}`)
    rest = rest.slice(end + 4)
    if (status === '100') continue
    const headers: Record<string, string> = {}
    for (const line of lines) {
      const colon = line.indexOf(': ')
      headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 2)
    }
    const bodiless = methods[answers.length] === 'HEAD' || status === '204' || status === '304'
    const length = bodiless ? 0 : Number(headers['content-length'])
    if (!(length <= rest.length)) throw new Error(`a body of ${length} bytes, ${rest.length} came`)
    answers.push({ status: Number(status), headers, body: rest.slice(0, length) })
    rest = rest.slice(length)
  }
  return answers
}
