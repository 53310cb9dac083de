import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openVault } from '@kyc/host'
import { silentLogger, systemClock } from '@kyc/runtime'
import pg from 'pg'
import { apiClient } from '../../support/api.ts'
import { consoleClient, signInAndEnrol } from '../../support/console.ts'
import { startTestSystem, temporaryFolder } from '../../support/system.ts'
import { keepSeeded, seedSessions } from '../support/console-seed.ts'
import { type Kind, kinds, timeCalls } from './calls.ts'

/** p50 of each kind of call with `size` sessions of one app in the table. */
export async function withSessions(size: number): Promise<Map<Kind, number>> {
  const folder = await temporaryFolder()
  const system = await startTestSystem({ DATA_DIR: folder, MODELS_DIR: '/nonexistent', SANCTIONS_DIR: '' })
  const client = new pg.Client({ connectionString: system.databaseUrl })
  await client.connect()
  try {
    const api = apiClient(system.url, system.app.api_key)
    const first = await api.post<{ session_id: string; workflow_id: string }>('/v1/sessions', {})
    const { session_id: sessionId, workflow_id } = first.body
    const owner = consoleClient(system.url)
    await signInAndEnrol(owner, system.app.console)
    const [app] = (await owner.get('/apps')).body.data
    await keepSeeded(owner, app.app_id)
    // Seeding recounts the sessions.
    await client.query('DELETE FROM session.session_count')
    await seedSessions(
      client,
      {
        app_id: app.app_id,
        workflow_ids: [workflow_id, workflow_id, workflow_id],
        user_id: 'usr_000000000000000000000000',
      },
      await vaultOf(folder),
      size,
    )
    return await timeCalls(() => ({ api, sessionId }), Object.keys(kinds) as Kind[])
  } finally {
    await client.end()
    await system.close()
  }
}

async function vaultOf(folder: string) {
  const { vault_key } = JSON.parse(await readFile(join(folder, 'secrets.json'), 'utf8')) as {
    vault_key: string
  }
  return openVault(
    { VAULT_STORE: `folder:${join(folder, 'vault')}`, VAULT_KEY: vault_key },
    { clock: systemClock, logger: silentLogger },
  )
}
