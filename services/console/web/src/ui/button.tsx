import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { useId } from 'react'
import styles from './button.module.css'
import { Keys } from './keys.tsx'

export type ButtonVariant = 'plain' | 'primary' | 'danger' | 'quiet'

export const buttonClass = (variant: ButtonVariant = 'plain', icon = false) =>
  [styles.button, variant === 'plain' ? '' : styles[variant], icon ? styles.icon : ''].join(' ')

type Props = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> & {
  variant?: ButtonVariant
  /** Why it cannot be pressed now: it stays reachable and says so. */
  reason?: string | null | false | undefined
  /** A request of this button is under way. */
  busy?: boolean
  /** An icon alone; `aria-label` names it. */
  icon?: boolean
  /** The shortcut that does the same. */
  shortcut?: string
  ref?: Ref<HTMLButtonElement>
  children: ReactNode
}

/** A button that is never silently disabled. */
export function Button({ variant, reason, busy, icon, shortcut, children, onClick, ...rest }: Props) {
  const reasonId = useId()
  const blocked = Boolean(reason) || busy === true
  return (
    <>
      <button
        type="button"
        {...rest}
        className={buttonClass(variant, icon)}
        title={reason || rest.title}
        aria-disabled={blocked || undefined}
        aria-busy={busy || undefined}
        aria-describedby={reason ? reasonId : rest['aria-describedby']}
        onClick={(event) => {
          if (blocked) event.preventDefault()
          else onClick?.(event)
        }}
      >
        {children}
        {shortcut && <Keys keys={shortcut} />}
      </button>
      {reason && (
        <span id={reasonId} hidden>
          {reason}
        </span>
      )}
    </>
  )
}
