import { describe, expect, test } from '@jest/globals'
import { steady, unsteady } from './steady.ts'

type Hint = 'ok' | 'blur' | 'dark'
/** What comes of verdicts a quarter of a second apart. */
function follow(verdicts: readonly Hint[], everyMs = 250) {
  let state = unsteady<Hint>()
  return verdicts.map((verdict, index) => {
    const step = steady(state, verdict, index * everyMs)
    state = step.next
    return { shown: step.next.hint, said: step.say, captured: step.capture }
  })
}

describe('a stream of verdicts', () => {
  test('shows a hint only after it came three times in a row', () => {
    const steps = follow(['blur', 'dark', 'blur', 'blur', 'blur', 'dark'])
    expect(steps.map(({ shown }) => shown)).toEqual([null, null, null, null, 'blur', 'blur'])
  })

  test('takes the picture at the fourth good frame in a row, not before', () => {
    const steps = follow(['ok', 'ok', 'ok', 'blur', 'ok', 'ok', 'ok', 'ok'])
    expect(steps.map(({ captured }) => captured).indexOf(true)).toBe(7)
  })

  test('speaks at most every 2.5 s, and repeats itself only after 6 s', () => {
    const changing = follow([...'bbbdddbbbddd'].map((letter) => (letter === 'b' ? 'blur' : 'dark')))
    expect(changing.filter(({ said }) => said !== null)).toHaveLength(1)
    const same = follow(Array.from({ length: 30 }, () => 'dark' as const))
    const times = same.flatMap(({ said }, index) => (said === null ? [] : [index * 250]))
    expect(times).toEqual([500, 6500])
  })
})
