import { expect, test } from '@jest/globals'
import { dispatcherSettings } from './config.ts'

test('uses the defaults of the interface specification', () => {
  expect(dispatcherSettings.parse({})).toEqual({
    WEBHOOK_RETRY_DELAYS_SECONDS: [30, 120, 600, 1_800, 3_600, 10_800, 21_600],
    WEBHOOK_JITTER_PERCENT: 2,
    WEBHOOK_TIMEOUT_MS: 10_000,
    WEBHOOK_CONCURRENCY: 256,
    WEBHOOK_CONCURRENCY_PER_APP: 16,
    WEBHOOK_DELIVERY_RETENTION_DAYS: 90,
    ALLOW_PRIVATE_WEBHOOKS: false,
    WEBHOOK_OWN_ADDRESSES: [],
  })
})

test('reads a schedule, and fails at startup if it is invalid', () => {
  const read = (text: string) => dispatcherSettings.safeParse({ WEBHOOK_RETRY_DELAYS_SECONDS: text })
  expect(read('1, 2,3').data?.WEBHOOK_RETRY_DELAYS_SECONDS).toEqual([1, 2, 3])
  for (const text of ['', '1,,2', '1.5', '-1', '0', 'soon']) expect(read(text).success).toBe(false)
})
