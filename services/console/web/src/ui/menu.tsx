import type { ReactNode } from 'react'
import { Menu as AriaMenu, Button, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { type ButtonVariant, buttonClass } from './button.tsx'
import styles from './menu.module.css'

export { styles as menuStyles }
export type MenuEntry = {
  id: string
  label: string
  end?: ReactNode
  /** Why the item is disabled; shown next to it. */
  reason?: string | null | false
  onChoose: () => void
}

type Props = {
  label: ReactNode
  ariaLabel?: string
  variant?: ButtonVariant
  icon?: boolean
  entries: readonly MenuEntry[]
}

export const Menu = ({ label, ariaLabel, variant, icon, entries }: Props) => (
  <MenuTrigger>
    <Button className={buttonClass(variant, icon)} aria-label={ariaLabel}>
      {label}
    </Button>
    <Popover className={styles.popover} placement="bottom end">
      <AriaMenu
        className={styles.menu}
        aria-label={ariaLabel ?? (typeof label === 'string' ? label : 'Choices')}
        disabledKeys={entries.filter(({ reason }) => reason).map(({ id }) => id)}
        onAction={(id) => entries.find((entry) => entry.id === id)?.onChoose()}
      >
        {entries.map(({ id, label: text, end, reason }) => (
          <MenuItem key={id} id={id} className={styles.item} textValue={text}>
            {text}
            {(reason || end) && <span className={styles.end}>{reason || end}</span>}
          </MenuItem>
        ))}
      </AriaMenu>
    </Popover>
  </MenuTrigger>
)
