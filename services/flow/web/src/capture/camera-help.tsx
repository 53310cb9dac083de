import { useApp } from '../app/context.ts'
import type { MessageKey } from '../i18n/catalogue.ts'
import { Button, FileButton } from '../ui/controls.tsx'
import { CopyLink } from '../ui/copy-link.tsx'
import { Screen } from '../ui/screen.tsx'
import { type CameraProblem, platformOf } from './camera-problem.ts'

const texts: Record<CameraProblem, { title: MessageKey; text: MessageKey; again: MessageKey | null }> = {
  blocked: { title: 'camera_blocked', text: 'camera_blocked_text', again: 'camera_blocked_retry' },
  dismissed: { title: 'camera_dismissed', text: 'camera_dismissed_text', again: 'camera_ask_again' },
  none: { title: 'camera_none', text: 'camera_none_text', again: 'try_again' },
  busy: { title: 'camera_busy', text: 'camera_busy_text', again: 'try_again' },
  unsupported: { title: 'camera_unsupported', text: 'camera_unsupported_text', again: null },
  in_app: { title: 'camera_unsupported', text: 'camera_in_app_text', again: null },
  stopped: { title: 'camera_stopped', text: 'camera_stopped_text', again: 'camera_restart' },
}
const steps = {
  ios: 'camera_blocked_ios',
  android: 'camera_blocked_android',
  desktop: 'camera_blocked_desktop',
} as const

/** Explains why there is no camera picture, how to fix it, and the alternatives. */
export function CameraHelp(props: {
  problem: CameraProblem
  onRetry: () => void
  /** Null if photos from files are not accepted. */
  upload: { label: string; capture: 'environment' | 'user'; onFile: (file: File) => void } | null
}) {
  const { t, flow, dispatch } = useApp()
  const { title, text, again } = texts[props.problem]
  const platform = platformOf(navigator.userAgent)
  return (
    <Screen
      title={t(title)}
      lead={t(text)}
      mark="stop"
      actions={
        <>
          {again && <Button onClick={props.onRetry}>{t(again)}</Button>}
          {props.upload && (
            <FileButton
              label={props.upload.label}
              capture={props.upload.capture}
              kind={again ? 'secondary' : 'primary'}
              onFile={props.upload.onFile}
            />
          )}
          {flow?.handoff.enabled && platform === 'desktop' && (
            <Button kind="secondary" onClick={() => dispatch({ type: 'handoff_opened' })}>
              {t('use_phone')}
            </Button>
          )}
          {again === null && <CopyLink url={location.href} label="copy_link" done="link_copied" />}
        </>
      }
    >
      {props.problem === 'blocked' && <p class="card">{t(steps[platform])}</p>}
    </Screen>
  )
}
