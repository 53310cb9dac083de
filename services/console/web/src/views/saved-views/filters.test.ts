import { expect, test } from '@jest/globals'
import { keptFilters, leftOut, viewOf } from './filters.ts'

const search = { status: 'in_review', name: 'Erika', reason: undefined, assignee: 'me' as const }

test('never stores a name, a reference or a session id', () => {
  expect(keptFilters({ ...search, vendor_data: 'c-1', id: 'ses_1' })).toEqual({
    status: 'in_review',
    assignee: 'me',
  })
  expect(leftOut({ ...search, vendor_data: 'c-1', id: undefined })).toEqual(['name', 'vendor_data'])
})

test('shows a view as selected only while the filters equal its own, in any order', () => {
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
