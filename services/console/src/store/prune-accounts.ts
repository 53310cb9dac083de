import type { Sql } from '@kyc/runtime'
import { knownBrowserDays } from '../domain/known-browser.ts'
import { pruneKnownBrowsers } from './known-browsers.ts'
import { pruneLinks } from './links.ts'
import { pruneSignIns } from './sign-ins.ts'
import { pruneThrottle } from './throttle.ts'

const dayMs = 86_400_000

/** Deletes what no longer opens or holds up anything. What happened stays in the audit log. */
export async function pruneAccounts(sql: Sql, now: Date): Promise<void> {
  const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs)
  await pruneSignIns(sql, daysAgo(2))
  await pruneLinks(sql, daysAgo(2))
  await pruneThrottle(sql, daysAgo(1))
  await pruneKnownBrowsers(sql, daysAgo(knownBrowserDays))
}
