import type { Browser } from 'playwright-core'
import { openContext } from './flow-harness.ts'

export type FirstLoad = {
  /** As they travelled, headers included. */
  scriptBytes: number
  totalBytes: number
  /** From the request to the first button that answers, in milliseconds. */
  usableMs: number
  /** Cumulative layout shift. */
  layoutShift: number
}

/** Slow 3G as Chromium's own tools name it. */
const slow3g = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 }

/** Runs in the page, before anything of it. */
const countShifts = `
  window.shifts = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.shifts += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
`

/** Opens a link for the first time over a slow network. */
export async function measureFirstLoad(browser: Browser, link: string): Promise<FirstLoad> {
  const context = await openContext(browser)
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', slow3g)
  const scripts = new Set<string>()
  let scriptBytes = 0
  let totalBytes = 0
  devtools.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script') scripts.add(requestId)
  })
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    totalBytes += encodedDataLength
    if (scripts.has(requestId)) scriptBytes += encodedDataLength
  })
  await page.addInitScript({ content: countShifts })
  const started = performance.now()
  await page.goto(link, { waitUntil: 'commit' })
  await page.getByRole('button', { name: 'Start' }).waitFor()
  const usableMs = Math.round(performance.now() - started)
  const layoutShift = await page.evaluate<number>('Math.round(window.shifts * 1000) / 1000')
  await context.close()
  return { scriptBytes, totalBytes, usableMs, layoutShift }
}
