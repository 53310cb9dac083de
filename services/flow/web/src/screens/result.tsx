import { useEffect, useState } from 'preact/hooks'
import { useApp } from '../app/context.ts'
import type { MessageKey } from '../i18n/catalogue.ts'
import { Button } from '../ui/controls.tsx'
import { Screen } from '../ui/screen.tsx'

type Result = 'approved' | 'in_review' | 'declined' | 'refused'
const texts: Record<Result, { title: MessageKey; text: MessageKey; mark: 'ok' | 'wait' | 'stop' }> = {
  approved: { title: 'approved_title', text: 'approved_text', mark: 'ok' },
  in_review: { title: 'in_review_title', text: 'in_review_text', mark: 'wait' },
  declined: { title: 'declined_title', text: 'declined_text', mark: 'stop' },
  refused: { title: 'refused_title', text: 'refused_text', mark: 'stop' },
}

/** WCAG 2.2.1: the person has 20 seconds and can stay with one press. */
const secondsToReturn = 20

export function ResultPage({ result }: { result: Result }) {
  const { t, flow, appName } = useApp()
  const url = flow?.return_url ?? null
  const [left, setLeft] = useState(secondsToReturn)
  const [stays, setStays] = useState(false)
  const counting = url !== null && !stays
  useEffect(() => {
    if (!counting) return
    if (left === 0) {
      location.assign(url)
      return
    }
    const timer = setTimeout(() => setLeft(left - 1), 1000)
    return () => clearTimeout(timer)
  }, [counting, left, url])
  const { title, text, mark } = texts[result]
  return (
    <Screen
      title={t(title)}
      lead={t(text, { app: appName })}
      mark={mark}
      actions={
        url && (
          <>
            <a class="button button-primary" href={url}>
              {t('return_to', { app: appName })}
            </a>
            {counting && (
              <Button kind="quiet" onClick={() => setStays(true)}>
                {t('return_stay')}
              </Button>
            )}
          </>
        )
      }
    >
      {counting ? (
        <p class="muted">{t('return_in', { count: left })}</p>
      ) : (
        <p class="muted">{t('safe_to_close')}</p>
      )}
    </Screen>
  )
}
