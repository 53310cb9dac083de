// Only Express and http-proxy-middleware, in front of the service whose URL is the first argument.
import { Agent } from 'node:http'
import { startServer } from '@kyc/http'
import { silentLogger } from '@kyc/runtime'
import express from 'express'
import { createProxyMiddleware } from 'http-proxy-middleware'

const app = express()
app.use(
  createProxyMiddleware({
    target: process.argv[2] ?? '',
    agent: new Agent({ keepAlive: true, maxSockets: 256 }),
  }),
)
const server = await startServer(app, { port: 0, host: '127.0.0.1', logger: silentLogger })
process.stdout.write(`${JSON.stringify({ url: server.url })}\n`)
