import { useApp } from '../app/context.ts'
import type { MessageKey } from '../i18n/catalogue.ts'
import { Screen } from '../ui/screen.tsx'

type DeadLink = 'unknown' | 'expired' | 'handoff_expired' | 'handoff_used'

const texts: Record<DeadLink, { title: MessageKey; text: MessageKey }> = {
  unknown: { title: 'link_unknown', text: 'link_unknown_text' },
  expired: { title: 'link_expired', text: 'link_expired_text' },
  handoff_expired: { title: 'handoff_expired', text: 'handoff_expired_text' },
  handoff_used: { title: 'handoff_used', text: 'handoff_used_text' },
}

/** Explains that a link is invalid and where to get a new one. */
export function LinkPage({ link }: { link: DeadLink }) {
  const { t, appName } = useApp()
  return <Screen title={t(texts[link].title)} lead={t(texts[link].text, { app: appName })} mark="stop" />
}
