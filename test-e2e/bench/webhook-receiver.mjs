// A receiver in a separate process: answers 204, hangs under /hang, and reports the received requests on demand.
import { createServer } from 'node:http'

let count = 0
const arrivals = []
const server = createServer((request, response) => {
  const at = performance.timeOrigin + performance.now()
  if (request.url === '/hang') return
  count++
  let text = ''
  request.on('data', (chunk) => {
    if (text.length < 400) text += chunk
  })
  request.on('end', () => {
    response.writeHead(204).end()
    const session = /"session_id":"(ses_\w+)"/.exec(text)?.[1]
    if (session) arrivals.push([session, at])
  })
})
server.listen(0, '127.0.0.1', () => process.send(server.address().port))
process.on('message', () => process.send({ count, arrivals: arrivals.splice(0) }))
process.on('disconnect', () => process.exit())
