import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Bus } from '@kyc/bus'
import { setUpApp } from '@kyc/common'
import { z } from 'zod'
import { writePrivately } from './secrets.ts'

const file = z.object({
  base_url: z.string(),
  api_key: z.string(),
  webhook_secret: z.string(),
  console: z.object({ email: z.string(), password: z.string() }),
})
/** What `standalone.json` holds: how to reach the first app. */
export type FirstApp = z.infer<typeof file>

const ownerEmail = 'owner@localhost.localdomain'

/** Makes a test app with its default workflow, key, webhook secret and owner, once. */
export async function ensureFirstApp(options: {
  bus: Bus
  path: string
  baseUrl: string
  webhookUrl: string | undefined
}): Promise<{ app: FirstApp; created: boolean }> {
  const { bus, path, baseUrl } = options
  if (existsSync(path)) {
    const known = file.parse(JSON.parse(await readFile(path, 'utf8')))
    if (known.base_url !== baseUrl) await writePrivately(path, { ...known, base_url: baseUrl })
    return { app: { ...known, base_url: baseUrl }, created: false }
  }
  const made = await bus.request(setUpApp, {
    name: 'Example app',
    environment: 'test',
    webhook_url: options.webhookUrl ?? null,
    owner_email: ownerEmail,
  })
  const app: FirstApp = {
    base_url: baseUrl,
    api_key: made.api_key,
    webhook_secret: made.webhook_secret,
    console: made.owner ?? { email: ownerEmail, password: '(set before; ask an owner for a new one)' },
  }
  await writePrivately(path, app)
  return { app, created: true }
}
