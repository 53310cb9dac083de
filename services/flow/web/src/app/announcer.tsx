import { useCallback, useRef, useState } from 'preact/hooks'

type Said = { polite: string; assertive: string }

/** Emptied before it speaks, since the same words twice are otherwise said once. */
const gapMs = 60

/** Two regions that are there from the start, as readers notice only changes inside regions they know. */
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
