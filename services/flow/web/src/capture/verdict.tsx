import type { CaptureIssue } from '@kyc/common'
import type { ComponentChildren } from 'preact'
import { useApp } from '../app/context.ts'
import type { MessageKey } from '../i18n/catalogue.ts'
import { en } from '../i18n/en.ts'
import { Button, Notice } from '../ui/controls.tsx'
import { Screen } from '../ui/screen.tsx'

/** The message for an issue; an unknown code gets general advice. */
export function issueKey(issue: CaptureIssue | undefined): MessageKey {
  const key = `issue_${issue?.code}`
  return Object.hasOwn(en, key) ? (key as MessageKey) : 'issue_other'
}

/** Shows what was wrong with a photo and how many attempts are left. */
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

/** The last attempt was accepted despite its issues, so advice would no longer help. */
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
