import { expect, test } from '@jest/globals'
import { mergeSections, readSections, writeReport } from './bench/support/report.ts'

const before = [
  { bench: 'gateway', text: '## gateway\n\n| a | b |' },
  { bench: 'end-to-end', text: '## end to end\n\nold' },
]

test('a section of the benchmark report is replaced in its place, and the others are unchanged', () => {
  const report = writeReport(before)
  const fresh = [
    { bench: 'end-to-end', text: '## end to end\n\nnew' },
    { bench: 'soak', text: '## soak' },
  ]
  const merged = mergeSections(readSections(report), fresh)
  expect(merged).toEqual([before[0], ...fresh])
  expect(readSections(writeReport(merged))).toEqual(merged)
})

test('a missing report, or one without sections, receives the first section', () => {
  expect(readSections('')).toEqual([])
  expect(mergeSections(readSections('# Benchmarks\n\nnothing yet'), before)).toEqual(before)
})
