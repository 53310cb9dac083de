import type { CaptureIssue } from '@kyc/common'
import type { ComponentChildren } from 'preact'
import { useApp } from '../app/context.ts'
import type { MessageKey } from '../i18n/catalogue.ts'
import { en } from '../i18n/en.ts'
import { Button, Notice } from '../ui/controls.tsx'
import { Screen } from '../ui/screen.tsx'

/** One message, in the person's language; a code that is not known here gets general advice. */
export function issueKey(issue: CaptureIssue | undefined): MessageKey {
  const key = `issue_${issue?.code}`
  return Object.hasOwn(en, key) ? (key as MessageKey) : 'issue_other'
}

/** What was wrong with a photo, and how many tries are left. */
export function Refused(props: {
  issue: CaptureIssue | undefined
  attemptsLeft: number
  actions: ComponentChildren
}) {
  const { t } = useApp()
  return (
    <Screen title={t('issue_title')} mark="stop" actions={props.actions}>
      <Notice kind="warn">
        <p>{t(issueKey(props.issue))}</p>
        <p class="muted">{t('tries_left', { count: props.attemptsLeft })}</p>
      </Notice>
    </Screen>
  )
}

/** The last try was kept with its faults; what to do better helps nobody any more. */
export function Kept({ onContinue }: { onContinue: () => void }) {
  const { t } = useApp()
  return (
    <Screen
      title={t('kept_anyway')}
      mark="wait"
      actions={<Button onClick={onContinue}>{t('go_on')}</Button>}
    />
  )
}
