import { useCallback, useEffect, useState } from 'preact/hooks'
import type { Handoff } from '../api/flow-api.ts'
import { useBack } from '../app/back.ts'
import { useApp } from '../app/context.ts'
import { useBegin } from '../app/use-begin.ts'
import { useFollow } from '../app/use-follow.ts'
import { useTask } from '../app/use-task.ts'
import { openStep } from '../app/view.ts'
import { stepTitles } from '../steps/titles.ts'
import { Button, Notice } from '../ui/controls.tsx'
import { CopyLink } from '../ui/copy-link.tsx'
import { Screen } from '../ui/screen.tsx'

const minutesLeft = (expiresAt: string) => Math.ceil((Date.parse(expiresAt) - Date.now()) / 60_000)

/** Shown on the first device: the link for the phone, then the live progress there. */
export function HandoffPage() {
  const { t, api, flow, dispatch, announce } = useApp()
  const { problem, run } = useTask()
  const { busy, begin } = useBegin()
  const [handoff, setHandoff] = useState<Handoff | null>(null)
  const [minutes, setMinutes] = useState(0)
  useFollow()
  const close = useCallback(() => dispatch({ type: 'handoff_closed' }), [dispatch])
  useBack(close)

  const create = useCallback(
    () =>
      run(async () => {
        const made = await api.handoff()
        setHandoff(made)
        setMinutes(minutesLeft(made.expires_at))
      }),
    [api, run],
  )
  useEffect(() => {
    if (!handoff) void create()
  }, [])
  useEffect(() => {
    if (!handoff) return
    const timer = setInterval(() => setMinutes(minutesLeft(handoff.expires_at)), 5_000)
    return () => clearInterval(timer)
  }, [handoff])

  const connected = flow?.handoff.device === 'connected'
  useEffect(() => {
    if (connected) announce(t('handoff_connected'), 'assertive')
  }, [connected])

  const here = (
    <Button kind="secondary" busy={busy} onClick={() => begin().then(close)}>
      {t('handoff_here')}
    </Button>
  )
  if (connected) {
    const now = flow && openStep(flow, [])
    return (
      <Screen title={t('handoff_connected')} lead={t('handoff_connected_text')} mark="ok" actions={here}>
        <ul class="card done-list">
          {flow?.steps.map(({ key, status }) => (
            <li key={key}>
              <span>{t(stepTitles[key])}</span>
              <span class="muted">
                {t(
                  status === 'completed'
                    ? 'handoff_step_done'
                    : key === now
                      ? 'handoff_step_now'
                      : 'handoff_step_later',
                )}
              </span>
            </li>
          ))}
        </ul>
      </Screen>
    )
  }
  const over = handoff !== null && minutes <= 0
  return (
    <Screen title={t('handoff_title')} actions={here}>
      {problem && <Notice kind="bad">{t(problem)}</Notice>}
      {handoff && !over && (
        <div class="handoff">
          <p>{t('handoff_scan')}</p>
          <img
            class="qr"
            width="280"
            height="280"
            alt={t('handoff_qr')}
            src={`data:image/svg+xml,${encodeURIComponent(handoff.qr_svg)}`}
          />
          <p>{t('handoff_code')}</p>
          <p class="code" dir="ltr">
            {`${handoff.code.slice(0, 3)} ${handoff.code.slice(3)}`}
          </p>
          <p class="muted">{t('handoff_minutes', { count: minutes })}</p>
          <CopyLink url={handoff.url} label="handoff_copy" done="handoff_copied" />
        </div>
      )}
      {over && <Notice kind="warn">{t('handoff_over')}</Notice>}
      {(over || problem) && <Button onClick={create}>{t('handoff_new')}</Button>}
    </Screen>
  )
}
