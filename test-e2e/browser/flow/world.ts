import { afterAll, beforeAll, expect } from '@jest/globals'
import type { CreatedSession, Decision } from '@kyc/common'
import pg from 'pg'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { exampleHolder, specimenPassport } from '../../support/specimen.ts'
import { until } from '../../support/until.ts'
import { createFakeCamera, documentScene, drawnFace, type FakeCamera, faceScene } from './camera.ts'
import {
  chromiumPath,
  type FlowHarness,
  launch,
  linkOf,
  type OpenOptions,
  openContext,
  startFlowHarness,
  watchPage,
} from './harness.ts'

/** What the tests of one file share: the system, a browser, and what its camera can be shown. */
export type FlowWorld = {
  harness: FlowHarness
  browser: Browser
  camera: FakeCamera
  /** A passport of nobody, as a file. */
  passport: Buffer
  /** For the camera: that passport on a table, and a drawn face. */
  scenes: { document: Buffer; face: Buffer }
}

/** Starts it before the tests of this file and stops it after them; where there is no browser it stays empty. */
export function useFlowWorld(documentNumber: string): FlowWorld {
  const world = {} as FlowWorld
  beforeAll(async () => {
    if (!chromiumPath) return
    const face = await drawnFace()
    world.passport = await specimenPassport({ ...exampleHolder, document_number: documentNumber }, face)
    world.scenes = { document: await documentScene(world.passport), face: await faceScene(face) }
    world.camera = await createFakeCamera(world.scenes.document)
    world.harness = await startFlowHarness()
    world.browser = await launch({ file: world.camera.path })
  })
  afterAll(async () => {
    await world.browser?.close()
    await world.harness?.close()
    await world.camera?.close()
  })
  return world
}

/** A test session that ends as asked, whatever is photographed. */
export const scenario = (name: string) => ({ metadata: { test_scenario: name } })

/** `complaints`: requests to other hosts, and whatever went against the content security policy. */
export type OpenPage = { context: BrowserContext; page: Page; complaints: string[] }

/**
 * The link of a session in a browser of its own; `script` runs in the page before anything of it; with
 * `clock` the test can move the page's time on.
 */
export async function openLink(
  world: FlowWorld,
  session: CreatedSession,
  options: OpenOptions & { script?: string; browser?: Browser; link?: string; clock?: true } = {},
): Promise<OpenPage> {
  const context = await openContext(options.browser ?? world.browser, options)
  if (options.script) await context.addInitScript({ content: options.script })
  const page = await context.newPage()
  if (options.clock) await page.clock.install()
  const link = options.link ?? linkOf(world.harness, session)
  const complaints = watchPage(page, new URL(link).origin)
  await page.goto(link)
  return { context, page, complaints }
}

export const decisionOf = async ({ harness }: FlowWorld, { session_id }: CreatedSession): Promise<Decision> =>
  (await harness.api.get<Decision>(`/v1/sessions/${session_id}/decision`)).body

/** Rows of the flow's own tables, as the service left them. */
export async function query(
  { harness }: FlowWorld,
  sql: string,
  values: readonly unknown[],
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: harness.system.databaseUrl })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql, [...values])).rows
  } finally {
    await client.end()
  }
}

/** What the funnel knows of a session: names, and nothing that could be anything else. */
async function eventsOf(world: FlowWorld, sessionId: string): Promise<string[]> {
  const rows = await query(world, 'SELECT * FROM flow.flow_event WHERE session_id = $1 ORDER BY seq', [
    sessionId,
  ])
  for (const row of rows)
    expect(Object.keys(row).sort()).toEqual(['app_id', 'at', 'name', 'seq', 'session_id'])
  return rows.map(({ name }) => String(name))
}

export const eventArrives = (world: FlowWorld, { session_id }: CreatedSession, name: string) =>
  until(
    () => eventsOf(world, session_id),
    (events) => events.includes(name),
  )
