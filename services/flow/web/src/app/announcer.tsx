import { useCallback, useRef, useState } from 'preact/hooks'

type Said = { polite: string; assertive: string }

/** Milliseconds for which a region is cleared first; otherwise a repeated text would be announced only once. */
const gapMs = 60

/** Two live regions, rendered from the start because screen readers notice changes only in existing regions. */
export function useAnnouncer() {
  const [said, setSaid] = useState<Said>({ polite: '', assertive: '' })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const announce = useCallback((text: string, urgency: keyof Said = 'polite') => {
    clearTimeout(timer.current)
    setSaid({ polite: '', assertive: '' })
    timer.current = setTimeout(() => setSaid({ polite: '', assertive: '', [urgency]: text }), gapMs)
  }, [])
  const regions = (
    <>
      <div class="visually-hidden" role="status" aria-live="polite" aria-atomic="true">
        {said.polite}
      </div>
      <div class="visually-hidden" aria-live="assertive" aria-atomic="true">
        {said.assertive}
      </div>
    </>
  )
  return { announce, regions }
}
