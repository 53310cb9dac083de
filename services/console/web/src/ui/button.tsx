import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { useId } from 'react'
import styles from './button.module.css'
import { Keys } from './keys.tsx'

export type ButtonVariant = 'plain' | 'primary' | 'danger' | 'quiet'

export const buttonClass = (variant: ButtonVariant = 'plain', icon = false) =>
  [styles.button, variant === 'plain' ? '' : styles[variant], icon ? styles.icon : ''].join(' ')

type Props = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> & {
  variant?: ButtonVariant
  /** Why the button is disabled. It stays focusable and shows the reason. */
  reason?: string | null | false | undefined
  /** A request of this button is in progress. */
  busy?: boolean
  /** Shows only an icon; `aria-label` names it. */
  icon?: boolean
  /** The keyboard shortcut for the same action. */
  shortcut?: string
  ref?: Ref<HTMLButtonElement>
  children: ReactNode
}

/** A button that always gives the reason when it is disabled. */
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
