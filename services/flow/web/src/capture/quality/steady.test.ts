import { describe, expect, test } from '@jest/globals'
import { steady, unsteady } from './steady.ts'

type Hint = 'ok' | 'blur' | 'dark'
/** The results of verdicts that are 250 ms apart by default. */
function follow(verdicts: readonly Hint[], everyMs = 250) {
  let state = unsteady<Hint>()
  return verdicts.map((verdict, index) => {
    const step = steady(state, verdict, index * everyMs)
    state = step.next
    return { shown: step.next.hint, said: step.say, captured: step.capture }
  })
}

describe('a stream of verdicts', () => {
  test('shows a hint only after three identical verdicts in a row', () => {
    const steps = follow(['blur', 'dark', 'blur', 'blur', 'blur', 'dark'])
    expect(steps.map(({ shown }) => shown)).toEqual([null, null, null, null, 'blur', 'blur'])
  })

  test('takes the picture at the fourth good frame in a row', () => {
    const steps = follow(['ok', 'ok', 'ok', 'blur', 'ok', 'ok', 'ok', 'ok'])
    expect(steps.map(({ captured }) => captured).indexOf(true)).toBe(7)
  })

  test('announces at most one hint every 2.5 s and repeats a hint only after 6 s', () => {
    const changing = follow([...'bbbdddbbbddd'].map((letter) => (letter === 'b' ? 'blur' : 'dark')))
    expect(changing.filter(({ said }) => said !== null)).toHaveLength(1)
    const same = follow(Array.from({ length: 30 }, () => 'dark' as const))
    const times = same.flatMap(({ said }, index) => (said === null ? [] : [index * 250]))
    expect(times).toEqual([500, 6500])
  })
})
