import { expect, test } from '@jest/globals'
import { flowTokenOf, wantsPage } from './navigation.ts'

test('decodes the token in a path as the flow does', () => {
  expect(flowTokenOf('/flow/abc')).toBe('abc')
  expect(flowTokenOf('/flow/abc/state')).toBe('abc')
  expect(flowTokenOf('/flow/abc?utm=1')).toBe('abc')
  expect(flowTokenOf('/flow/%61bc/state')).toBe('abc')
  for (const broken of ['/flow/%zz', '/flow/%e0%a4']) expect(flowTokenOf(broken)).toBeUndefined()
})

test('a browser that navigates gets a page; programs and calls from a page get JSON', () => {
  expect(wantsPage({ accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })).toBe(true)
  for (const accept of [undefined, '*/*', 'application/json', 'text/htmlx'])
    expect(wantsPage(accept === undefined ? {} : { accept })).toBe(false)
})
