import { useNavigate } from '@tanstack/react-router'
import { Autocomplete, Input, Menu, MenuItem, TextField, useFilter } from 'react-aria-components'
import { useAccount } from '../api/account.ts'
import { Dialog } from '../ui/dialog.tsx'
import { menuStyles } from '../ui/menu.tsx'
import { appViews, commonViews } from './navigation.ts'
import styles from './palette.module.css'
import { useRegisteredShortcuts } from './shortcuts.ts'

type Command = { id: string; label: string; keys?: string; run: () => void }

/** Search over every view and every action of this page. */
export function Palette({ appId, onClose }: { appId: string | null; onClose: () => void }) {
  const navigate = useNavigate()
  const { apps } = useAccount()
  const { contains } = useFilter({ sensitivity: 'base' })
  const shortcuts = useRegisteredShortcuts()
  const actions: Command[] = shortcuts
    .filter(({ keys }) => !keys.startsWith('g '))
    .map(({ keys, label, run }) => ({ id: `key ${keys}`, label, keys, run }))
  const views: Command[] = [
    ...(appId === null ? [] : appViews).map(({ to, name }) => ({
      id: to,
      label: `Go to ${name}`,
      run: () => void navigate({ to, params: { appId: appId ?? '' } }),
    })),
    ...commonViews.map(({ to, name }) => ({
      id: to,
      label: `Go to ${name}`,
      run: () => void navigate({ to }),
    })),
    { id: 'account', label: 'Go to Account and preferences', run: () => void navigate({ to: '/account' }) },
    ...apps.map(({ app_id, name, environment }) => ({
      id: app_id,
      label: `Change to app ${name} (${environment})`,
      run: () => void navigate({ to: '/apps/$appId/queue', params: { appId: app_id } }),
    })),
  ]
  const commands = [...actions, ...views]
  return (
    <Dialog title="Commands" open onClose={onClose}>
      <Autocomplete filter={contains}>
        <TextField aria-label="Find a command" autoFocus className={styles.field}>
          <Input className={styles.input} placeholder="Type what you want to do" />
        </TextField>
        <Menu
          aria-label="Commands"
          className={styles.list}
          items={commands}
          onAction={(id) => {
            onClose()
            // Runs after the dialog has closed, because the action may open another one or move the focus.
            requestAnimationFrame(() => commands.find((command) => command.id === id)?.run())
          }}
        >
          {({ id, label, keys }) => (
            <MenuItem id={id} className={menuStyles.item} textValue={label}>
              {label}
              {keys && <span className={menuStyles.end}>{keys}</span>}
            </MenuItem>
          )}
        </Menu>
      </Autocomplete>
    </Dialog>
  )
}
