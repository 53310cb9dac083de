import { Dialog } from '../ui/dialog.tsx'
import { Keys } from '../ui/keys.tsx'
import styles from './shortcut-help.module.css'
import { useRegisteredShortcuts, useShortcutsEnabled } from './shortcuts.ts'

/** All shortcuts of this page. */
export function ShortcutHelp({ open, onClose }: { open: boolean; onClose: () => void }) {
  const shortcuts = useRegisteredShortcuts()
  const enabled = useShortcutsEnabled()
  return (
    <Dialog title="Keys on this page" open={open} onClose={onClose}>
      {!enabled && <p>Single-key shortcuts are switched off in your preferences.</p>}
      <dl className={styles.list}>
        <div>
          <dt>Command palette</dt>
          <dd>
            <Keys keys="Ctrl K" />
            <span className="visually-hidden">Control K</span>
          </dd>
        </div>
        {shortcuts.map(({ keys, label }) => (
          <div key={keys}>
            <dt>{label}</dt>
            <dd>
              {keys.split(' ').map((key, index) => (
                <Keys key={`${keys}-${index === 0 ? 'first' : 'then'}`} keys={key} />
              ))}
              <span className="visually-hidden">{keys}</span>
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
