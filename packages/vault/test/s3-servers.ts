import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { CreateBucketCommand, PutBucketVersioningCommand, S3Client } from '@aws-sdk/client-s3'
import { freePort } from '@kyc/runtime'
import type { S3StoreOptions } from '../src/index.ts'

type Kind = { arguments(port: number, folder: string): string[]; env: Record<string, string> }

const credentials = { accessKeyId: 'vault-test', secretAccessKey: 'vault-test-secret' }

/** S3 servers that can be installed from a package registry; see the README. */
const kinds: Record<string, Kind> = {
  minio: {
    arguments: (port, folder) => ['server', folder, '--address', `127.0.0.1:${port}`, '--quiet'],
    env: { MINIO_ROOT_USER: credentials.accessKeyId, MINIO_ROOT_PASSWORD: credentials.secretAccessKey },
  },
  versitygw: {
    arguments: (port, folder) => ['--port', `127.0.0.1:${port}`, '--quiet', 'posix', folder],
    env: { ROOT_ACCESS_KEY: credentials.accessKeyId, ROOT_SECRET_KEY: credentials.secretAccessKey },
  },
  moto_server: { arguments: (port) => ['-H', '127.0.0.1', '-p', String(port)], env: {} },
}

export const installedServers = (): string[] => Object.keys(kinds).filter((name) => pathOf(name))

/** Searches the PATH of the shell, extended by the install folder of `go install`. */
function pathOf(name: string): string | undefined {
  const found = spawnSync('sh', ['-c', 'PATH="$PATH:$HOME/go/bin" command -v "$0"', name], {
    encoding: 'utf8',
  })
  return found.stdout.trim() || undefined
}

export type S3Server = {
  options(bucket: string): Promise<S3StoreOptions>
  keepVersions(bucket: string): Promise<void>
  stop(): Promise<void>
}

/** Starts an installed server on a free port, over an empty `folder`. */
export async function startS3Server(name: string, folder: string): Promise<S3Server> {
  mkdirSync(folder, { recursive: true })
  const port = await freePort()
  const kind = kinds[name]!
  const variables = Object.entries(kind.env).map(([variable, value]) => `${variable}=${value}`)
  const command = [...variables, pathOf(name)!, ...kind.arguments(port, folder)]
  const child = spawn('env', command, { stdio: 'ignore' })
  const endpoint = `http://127.0.0.1:${port}`
  const client = new S3Client({
    endpoint,
    region: 'us-east-1',
    credentials,
    forcePathStyle: true,
    maxAttempts: 1,
  })
  await untilAnswering(endpoint, child)
  return {
    async options(bucket) {
      await client.send(new CreateBucketCommand({ Bucket: bucket }))
      return { bucket, endpoint, credentials }
    },
    async keepVersions(bucket) {
      const VersioningConfiguration = { Status: 'Enabled' } as const
      await client.send(new PutBucketVersioningCommand({ Bucket: bucket, VersioningConfiguration }))
    },
    async stop() {
      client.destroy()
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill()
      await ended
    },
  }
}

async function untilAnswering(endpoint: string, child: ChildProcess): Promise<void> {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; ) {
    if (child.exitCode !== null) throw new Error(`The S3 server ended at once (${child.exitCode}).`)
    const status = await fetch(endpoint).then(
      (response) => response.status,
      () => 503,
    )
    if (status < 500) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  child.kill()
  throw new Error('The S3 server did not answer in 30 s.')
}
