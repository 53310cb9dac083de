import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type Sum, summarizeAnalytics } from './summarize-analytics.ts'

const factor = 1.1
const range = { from: '2026-03-01', to: '2026-03-02', workflow_id: null }
const bucketOf = (seconds: number) => Math.floor(Math.log(Math.max(seconds, 1)) / Math.log(factor))
const seconds = (values: readonly number[]): Sum[] =>
  values.map((value) => ({
    metric: 'seconds',
    key: 'review',
    bucket: bucketOf(value),
    count: 1,
    sum: value,
  }))

test('reports every rate and time as null, not zero, when there is no data', () => {
  const empty = summarizeAnalytics([], [], range, factor)
  expect(empty.totals).toMatchObject({
    created: 0,
    conversion: null,
    approval_rate: null,
    camera_denied_rate: null,
  })
  expect(empty.review_time).toEqual({ count: 0, mean_seconds: null, median_seconds: null })
  expect(empty.days.map(({ day }) => day)).toEqual(['2026-03-01', '2026-03-02'])
})

test('estimates the median within a tenth of the true value, and the mean exactly', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 500_000 }), { minLength: 1, maxLength: 99 }), (values) => {
      const { review_time } = summarizeAnalytics(seconds(values), [], range, factor)
      const sorted = [...values].sort((a, b) => a - b)
      const median = sorted[Math.ceil(values.length / 2) - 1] ?? 0
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length
      expect(Math.abs((review_time.median_seconds ?? 0) / median - 1)).toBeLessThan(0.1)
      expect(review_time.mean_seconds).toBeCloseTo(mean, 0)
    }),
  )
})
