// A PostgreSQL for one test run: prints its URL and runs until its standard input ends.
import { startTestServer } from './database.ts'

const server = await startTestServer()
process.stdout.write(`${server.url}\n`)
process.stdin.resume()
process.stdin.once('end', () => void server.stop())
