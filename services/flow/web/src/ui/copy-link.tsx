import { useApp } from '../app/context.ts'
import type { MessageKey } from '../i18n/catalogue.ts'
import { Button } from './controls.tsx'

/** Copies a URL; if the clipboard is unavailable, shows it for manual copying. */
export function CopyLink({ url, label, done }: { url: string; label: MessageKey; done: MessageKey }) {
  const { t, announce } = useApp()
  const copy = () => {
    const failed = () => prompt(t(label), url)
    if (!navigator.clipboard) {
      failed()
      return
    }
    navigator.clipboard.writeText(url).then(() => announce(t(done)), failed)
  }
  return (
    <Button kind="quiet" onClick={copy}>
      {t(label)}
    </Button>
  )
}
