import type { Sql } from '@kyc/runtime'
import { knownBrowserDays } from '../domain/known-browser.ts'
import { pruneKnownBrowsers } from './known-browsers.ts'
import { pruneLinks } from './links.ts'
import { pruneChallenges } from './passkey-challenges.ts'
import { pruneSignIns } from './sign-ins.ts'
import { pruneThrottle } from './throttle.ts'

const dayMs = 86_400_000

/** Deletes expired rows that no longer grant or limit anything. The audit log retains what happened. */
export async function pruneAccounts(sql: Sql, now: Date): Promise<void> {
  const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs)
  await pruneSignIns(sql, daysAgo(2))
  await pruneLinks(sql, daysAgo(2))
  await pruneChallenges(sql, now)
  await pruneThrottle(sql, daysAgo(1))
  await pruneKnownBrowsers(sql, daysAgo(knownBrowserDays))
}
