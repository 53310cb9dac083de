#!/usr/bin/env node
import { runCommand } from './run.ts'

const abort = new AbortController()
process.once('SIGINT', () => abort.abort())
process.once('SIGTERM', () => abort.abort())

process.exitCode = await runCommand(process.argv.slice(2), {
  environment: process.env,
  signal: abort.signal,
  print: (line) => process.stdout.write(`${line}\n`),
  note: (line) => process.stderr.write(`${line}\n`),
})
