import { expect, test } from '@jest/globals'
import { explainLostChange } from './lost-change.ts'

const nameOf = (id: string) => (id === 'usr_ana' ? 'Ana' : null)
const at = '2026-03-01T12:00:00Z'
const review = { status: 'approved', actor: { type: 'user', id: 'usr_ana' }, at } as const

test('tells the second reviewer who decided first, when and how', () => {
  const lost = { status: 'approved', review, assignment: null } as const
  expect(explainLostChange(lost, 'change', nameOf)).toBe(`Ana approved this session at ${at}.`)
  const byClient = { ...lost, review: { ...review, actor: { type: 'api_key', id: 'key_1' } } } as const
  expect(explainLostChange(byClient, 'change', nameOf)).toBe(
    `A client of the API approved this session at ${at}.`,
  )
})

test('does not give a decision of an earlier round as the reason', () => {
  const moved = { status: 'expired', review, assignment: null } as const
  expect(explainLostChange(moved, 'change', nameOf)).toBe('The session is expired.')
})

test('names the holder of a session and the end of the hold when it cannot be assigned', () => {
  const assignment = { user_id: 'usr_ana', assigned_at: at, held_until: '2026-03-01T12:15:00Z' }
  const held = { status: 'in_review', review: null, assignment } as const
  expect(explainLostChange(held, 'assign', nameOf)).toContain(
    'Ana holds this session until 2026-03-01T12:15:00Z',
  )
})
