import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { contrast, usableAccent, usableLogo } from './branding.ts'

describe("a client's accent", () => {
  test('is used only if its contrast with the page and with its text is sufficient', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 0xffffff }),
        fc.constantFrom('light' as const, 'dark' as const),
        (value, scheme) => {
          const used = usableAccent(`#${value.toString(16).padStart(6, '0')}`, scheme)
          if (!used) return
          expect(contrast(used.accent, used.onAccent)).toBeGreaterThanOrEqual(4.5)
          expect(contrast(used.accent, scheme === 'light' ? '#ffffff' : '#10171e')).toBeGreaterThanOrEqual(
            4.5,
          )
        },
      ),
    )
  })

  test('is ignored if it is too pale or not a colour', () => {
    expect(usableAccent('#ffee00', 'light')).toBeNull()
    expect(usableAccent('red;background:url(x)', 'light')).toBeNull()
    expect(usableAccent('#7a1fa2', 'light')).toEqual({ accent: '#7a1fa2', onAccent: '#ffffff' })
  })
})

describe("a client's logo", () => {
  test('is never fetched from a third party', () => {
    const here = 'https://verify.example'
    expect(usableLogo('https://tracker.example/logo.png', here)).toBeNull()
    expect(usableLogo('javascript:alert(1)', here)).toBeNull()
    expect(usableLogo('https://verify.example/logo.png', here)).toBe('https://verify.example/logo.png')
    expect(usableLogo('data:image/png;base64,AAAA', here)).toBe('data:image/png;base64,AAAA')
  })
})
