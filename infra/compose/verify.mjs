// `verify.mjs [--no-build] [--keep] [--faults]`: starts the system of docker-compose.yml as a separate project with its
// own secrets, runs the end-to-end journey against it, and removes it. Users run it to verify that an installation
// would work.
//   --faults  also kills and restarts each container under load, and verifies that nothing is lost
//   MODELS_DIR, SANCTIONS_LISTS_DIR: folders on this machine; without them sessions go to review, and lists are
//   downloaded.
import '../workspace/require-node.mjs'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { root } from '../workspace/packages.mjs'

const flags = new Set(process.argv.slice(2))
const project = 'kyc-verify'
const gatewayPort = process.env.GATEWAY_PORT ?? '18080'
const webhookPort = process.env.WEBHOOK_PORT ?? '18099'
const url = `http://127.0.0.1:${gatewayPort}`
const folder = mkdtempSync(join(tmpdir(), 'kyc-verify-'))
// Containers read it as user 1000; the settings in it are readable by their owner only.
chmodSync(folder, 0o755)
const envFile = join(folder, 'env')
const say = (line) => process.stdout.write(`${line}\n`)
const began = Date.now()
const seconds = () => `${Math.round((Date.now() - began) / 1000)} s`

/** The plugin of the Docker command, or its predecessor, the separate program. */
const compose =
  spawnSync('docker', ['compose', 'version']).status === 0 ? ['docker', 'compose'] : ['docker-compose']

function run(command, args, options = {}) {
  const result = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', options.capture ? 'pipe' : 'inherit', 'inherit'],
    encoding: 'utf8',
    env: { ...process.env, DOCKER_BUILDKIT: '1', COMPOSE_DOCKER_CLI_BUILD: '1', ...options.env },
  })
  if (result.error) throw result.error
  if (result.status !== 0 && !options.mayFail) throw new Error(`${command} ${args.join(' ')} failed`)
  return result
}
const composed = (args, options) =>
  run(
    compose[0],
    [
      ...compose.slice(1),
      '--project-name',
      project,
      '--env-file',
      envFile,
      '--file',
      'docker-compose.yml',
      '--file',
      'infra/compose/verify.yml',
      ...args,
    ],
    options,
  )

function writeSettings() {
  run(process.execPath, ['infra/compose/make-env.mjs', envFile], { capture: true })
  const { MODELS_DIR, SANCTIONS_LISTS_DIR } = process.env
  const own = {
    PUBLIC_URL: url,
    GATEWAY_PORT: gatewayPort,
    IMAGE_TAG: process.env.IMAGE_TAG ?? 'latest',
    RATE_LIMIT_PER_MINUTE: '100000',
    RATE_LIMIT_IMAGE_CHECKS_PER_MINUTE: '100000',
    AADHAAR_CERTIFICATES_DIR: folder,
    BACKUP_DIR: folder,
    MODELS_DIR: resolve(MODELS_DIR ?? folder),
    SANCTIONS_LISTS_DIR: resolve(SANCTIONS_LISTS_DIR ?? folder),
    SANCTIONS_DIR: SANCTIONS_LISTS_DIR ? '/lists' : '',
  }
  const lines = readFileSync(envFile, 'utf8').split('\n')
  const kept = lines.filter((line) => !(line.split('=')[0] in own))
  writeFileSync(
    envFile,
    [...kept, ...Object.entries(own).map(([name, value]) => `${name}=${value}`), ''].join('\n'),
  )
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms))

async function untilUp() {
  const deadline = Date.now() + 120_000
  for (;;) {
    // Docker's proxy accepts connections for a container that does not listen yet, and may not respond.
    const isUp = await fetch(`${url}/health`, { signal: AbortSignal.timeout(2_000) }).then(
      (response) => response.ok,
      () => false,
    )
    if (isUp) return
    if (Date.now() > deadline) throw new Error(`${url}/health does not answer`)
    await pause(500)
  }
}

let failed = false
try {
  writeSettings()
  if (!flags.has('--no-build')) {
    composed(['build'])
    run('docker', ['images', '--format', '{{.Repository}}\t{{.Size}}', '--filter', 'reference=kyc/*'])
    say(`images built after ${seconds()}`)
  }
  composed(['up', '--detach', '--no-build'])
  await untilUp()
  say(`the gateway answers after ${seconds()}`)
  const made = composed(
    [
      'run',
      '--rm',
      'ops',
      'create-app',
      '--name',
      'Example',
      '--owner',
      'owner@example.org',
      '--webhook-url',
      `http://host.docker.internal:${webhookPort}/hook`,
    ],
    { capture: true },
  )
  const app = JSON.parse(made.stdout.slice(made.stdout.indexOf('{')))
  // Run one after the other, because each of them is the receiver of webhooks.
  for (const test of ['running-system', ...(flags.has('--faults') ? ['compose-faults'] : [])]) {
    run(process.execPath, ['infra/workspace/test.mjs', 'e2e', test], {
      env: {
        KYC_SYSTEM_URL: url,
        KYC_SYSTEM_API_KEY: app.api_key,
        KYC_SYSTEM_WEBHOOK_SECRET: app.webhook_secret,
        KYC_SYSTEM_WEBHOOK_PORT: webhookPort,
        KYC_COMPOSE_PROJECT: project,
      },
    })
  }
  say(`the journey went through after ${seconds()}`)
} catch (error) {
  failed = true
  say(error.message)
  composed(['ps'], { mayFail: true })
  composed(['logs', '--tail', '30', '--no-color'], { mayFail: true })
} finally {
  if (!flags.has('--keep')) {
    composed(['down', '--volumes', '--timeout', '20'], { mayFail: true })
    rmSync(folder, { recursive: true, force: true })
  } else say(`kept: project ${project}, settings in ${envFile}`)
}
process.exitCode = failed ? 1 : 0
