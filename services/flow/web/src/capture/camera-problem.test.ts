import { describe, expect, test } from '@jest/globals'
import { classifyProblem, platformOf } from './camera-problem.ts'

const chrome = 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36'
const instagram =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Instagram 300.0'
const at = (change: Partial<Parameters<typeof classifyProblem>[1]> = {}) => ({
  supported: true,
  permission: null,
  userAgent: chrome,
  ...change,
})

describe('a camera that does not open', () => {
  test('is blocked after a denied permission, or dismissed after a closed prompt', () => {
    expect(classifyProblem('NotAllowedError', at({ permission: 'denied' }))).toBe('blocked')
    expect(classifyProblem('NotAllowedError', at())).toBe('blocked')
    expect(classifyProblem('NotAllowedError', at({ permission: 'prompt' }))).toBe('dismissed')
  })

  test('is missing if the device has none', () => {
    expect(classifyProblem('NotFoundError', at())).toBe('none')
  })

  test('is in use by another program', () => {
    expect(classifyProblem('NotReadableError', at())).toBe('busy')
    expect(classifyProblem('AbortError', at())).toBe('busy')
  })

  test('is unavailable on an insecure page, in an old browser or inside another app', () => {
    expect(classifyProblem(null, at({ supported: false }))).toBe('unsupported')
    expect(classifyProblem('SecurityError', at())).toBe('unsupported')
    expect(classifyProblem('NotAllowedError', at({ userAgent: instagram }))).toBe('in_app')
    expect(classifyProblem(null, at({ supported: false, userAgent: instagram }))).toBe('in_app')
  })

  test('is enabled in the settings of the detected platform', () => {
    expect(platformOf(instagram)).toBe('ios')
    expect(platformOf(chrome)).toBe('android')
    expect(platformOf('Mozilla/5.0 (X11; Linux x86_64)')).toBe('desktop')
  })
})
