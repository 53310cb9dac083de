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

/** Shared by the tests of one file: the system, a browser, and pictures for its camera. */
export type FlowWorld = {
  harness: FlowHarness
  browser: Browser
  camera: FakeCamera
  /** A passport of an invented person, as a file. */
  passport: Buffer
  /** For the camera: that passport on a table, and a drawn face. */
  scenes: { document: Buffer; face: Buffer }
}

/** Starts before the tests of this file and stops after them; stays empty if there is no browser. */
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

/** A test session with the given outcome, regardless of the photos. */
export const scenario = (name: string) => ({ metadata: { test_scenario: name } })

/** `complaints`: requests to other hosts, and violations of the content security policy. */
export type OpenPage = { context: BrowserContext; page: Page; complaints: string[] }

/**
 * The link of a session in a separate browser; `script` runs in the page before its scripts; with `clock` the test
 * can advance the page's time.
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

/** Rows of the flow's own tables. */
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

/** The funnel events of a session: names, and nothing else. */
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
