import type { Browser } from 'playwright-core'
import { openContext } from './harness.ts'

export type FirstLoad = {
  /** As transferred, including headers. */
  scriptBytes: number
  totalBytes: number
  /** From the request to the first responsive button, in milliseconds. */
  usableMs: number
  /** First and largest contentful paint, in milliseconds. */
  firstPaintMs: number
  largestPaintMs: number
  /** Total task time beyond 50 ms per task until then, in milliseconds: how long a tap may go unanswered. */
  blockedMs: number
  /** Cumulative layout shift. */
  layoutShift: number
}

/** Slow 3G as defined by Chromium's tools. */
const slow3g = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 }

/** Runs in the page before its scripts. */
const observe = `
  window.figures = { shifts: 0, first: 0, largest: 0, blocked: 0 }
  const watch = (type, take) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true })
  watch('layout-shift', (entry) => { window.figures.shifts += entry.value })
  watch('paint', (entry) => { if (entry.name === 'first-contentful-paint') window.figures.first = entry.startTime })
  watch('largest-contentful-paint', (entry) => { window.figures.largest = entry.startTime })
  watch('longtask', (entry) => { window.figures.blocked += Math.max(0, entry.duration - 50) })
`
type Observed = { shifts: number; first: number; largest: number; blocked: number }

/** Opens a link for the first time over a slow network, with the CPU slowed down by this factor. */
export async function measureFirstLoad(
  browser: Browser,
  link: string,
  cpuSlowdown: number,
): Promise<FirstLoad> {
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
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
  await page.addInitScript({ content: observe })
  const started = performance.now()
  await page.goto(link, { waitUntil: 'commit' })
  await page.getByRole('button', { name: 'Start' }).waitFor()
  const usableMs = Math.round(performance.now() - started)
  const observed = await page.evaluate<Observed>('window.figures')
  await context.close()
  return {
    scriptBytes,
    totalBytes,
    usableMs,
    firstPaintMs: Math.round(observed.first),
    largestPaintMs: Math.round(observed.largest),
    blockedMs: Math.round(observed.blocked),
    layoutShift: Math.round(observed.shifts * 1000) / 1000,
  }
}
