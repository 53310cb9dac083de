import { expect, test } from '@jest/globals'
import { keptFilters, leftOut, viewOf } from './filters.ts'

const search = { status: 'in_review', name: 'Erika', reason: undefined, assignee: 'me' as const }

test('a name, a reference and a session are never kept', () => {
  expect(keptFilters({ ...search, vendor_data: 'c-1', id: 'ses_1' })).toEqual({
    status: 'in_review',
    assignee: 'me',
  })
  expect(leftOut({ ...search, vendor_data: 'c-1', id: undefined })).toEqual(['name', 'vendor_data'])
})

test('a view is shown as chosen only while the filters are exactly its own, in whatever order', () => {
  const view = {
    id: 'view_1',
    page: 'sessions' as const,
    name: 'Mine',
    filters: { assignee: 'me' as const, status: 'in_review' },
  }
  expect(viewOf([view], { ...search, name: undefined })).toBe(view)
  expect(viewOf([view], search)).toBeUndefined()
  expect(viewOf([view], { status: 'in_review' })).toBeUndefined()
})
