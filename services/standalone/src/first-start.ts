import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { Bus } from '@kyc/bus'
import { PublicError, setUpApp } from '@kyc/common'
import type { Logger } from '@kyc/runtime'
import { z } from 'zod'
import { writePrivately } from './secrets.ts'

const file = z.object({
  base_url: z.string(),
  api_key: z.string(),
  webhook_secret: z.string(),
  console: z.object({ email: z.string(), password: z.string() }),
})
/** The content of `standalone.json`: how to access the first app. */
export type FirstApp = z.infer<typeof file>

const ownerEmail = 'owner@localhost.localdomain'
/** The time limit of one attempt, the time after which no further attempt starts, and the delay between attempts. */
const patienceMs = 120_000
const pauseMs = 1_000

/** Creates a test app with its default workflow, key, webhook secret and owner, once. */
export async function ensureFirstApp(options: {
  bus: Bus
  path: string
  baseUrl: string
  webhookUrl: string | undefined
  logger: Logger
}): Promise<{ app: FirstApp; created: boolean }> {
  const { path, baseUrl } = options
  if (existsSync(path)) {
    const known = file.parse(JSON.parse(await readFile(path, 'utf8')))
    if (known.base_url !== baseUrl) await writePrivately(path, { ...known, base_url: baseUrl })
    return { app: { ...known, base_url: baseUrl }, created: false }
  }
  const made = await setUp(options)
  const app: FirstApp = {
    base_url: baseUrl,
    api_key: made.api_key,
    webhook_secret: made.webhook_secret,
    console: made.owner ?? { email: ownerEmail, password: '(set before; ask an owner for a new one)' },
  }
  await writePrivately(path, app)
  return { app, created: true }
}

/**
 * The lines that describe how to access the first app. Only a terminal gets the secrets, and only once. Any other
 * output is a log that is stored and shipped, so it gets the path of the file that holds them.
 */
export function describeFirstApp(
  app: FirstApp,
  { file, consoleUrl, isTerminal }: { file: string; consoleUrl: string | undefined; isTerminal: boolean },
): string[] {
  if (!isTerminal) {
    return [
      `  First start: created a test app. Its API key, webhook secret and console login are in ${file}.`,
    ]
  }
  return [
    `  First start: created a test app. These secrets are printed once and stored in ${file}:`,
    `    API key          ${app.api_key}`,
    `    webhook secret   ${app.webhook_secret}`,
    `    console          ${consoleUrl ?? app.base_url}/console`,
    `                     ${app.console.email} / ${app.console.password}`,
  ]
}

/**
 * Services that start together on a small machine can be too slow for each other's deadlines, so a failure is retried.
 * A rejection (such as a webhook URL that is not allowed) is not. A failed attempt leaves at most an unused app. An
 * attempt that is still running is awaited and never repeated, because it may create the owner, whose password only its
 * response contains.
 */
async function setUp({
  bus,
  webhookUrl,
  logger,
}: {
  bus: Bus
  webhookUrl: string | undefined
  logger: Logger
}) {
  const began = performance.now()
  for (;;) {
    try {
      return await bus.request(
        setUpApp,
        {
          name: 'Example app',
          environment: 'test',
          webhook_url: webhookUrl ?? null,
          owner_email: ownerEmail,
        },
        { deadlineMs: patienceMs },
      )
    } catch (error) {
      const refused = error instanceof PublicError && error.code !== 'internal'
      if (refused || performance.now() - began > patienceMs) throw error
      logger.warn('The first app could not be made; trying again', { error })
      await delay(pauseMs)
    }
  }
}
