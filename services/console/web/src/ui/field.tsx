import type {
  ComponentPropsWithRef,
  InputHTMLAttributes,
  ReactElement,
  ReactNode,
  SelectHTMLAttributes,
  TextareaHTMLAttributes,
} from 'react'
import { cloneElement, useId } from 'react'
import styles from './field.module.css'

type Common = { label: ReactNode; hint?: ReactNode; error?: string | undefined; hideLabel?: boolean }

/** Label, hint and error of one control, linked for assistive technology. */
function Labelled({
  label,
  hint,
  error,
  hideLabel,
  children,
}: Common & { children: ReactElement<ControlProps> }) {
  const id = useId()
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ')
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={hideLabel ? 'visually-hidden' : styles.label}>
        {label}
      </label>
      {cloneElement(children, {
        id,
        'aria-describedby': described === '' ? undefined : described,
        'aria-invalid': error ? true : undefined,
      })}
      {hint && (
        <span id={`${id}-hint`} className={styles.hint}>
          {hint}
        </span>
      )}
      {error && (
        <span id={`${id}-error`} className={styles.error} role="alert">
          {error}
        </span>
      )}
    </div>
  )
}
type ControlProps = {
  id?: string
  'aria-describedby'?: string | undefined
  'aria-invalid'?: boolean | undefined
}

export const TextField = ({
  label,
  hint,
  error,
  hideLabel,
  ...input
}: Common & InputHTMLAttributes<HTMLInputElement> & ComponentPropsWithRef<'input'>) => (
  <Labelled label={label} hint={hint} error={error} hideLabel={hideLabel}>
    <input className={styles.input} type="text" {...input} />
  </Labelled>
)

export const TextArea = ({
  label,
  hint,
  error,
  hideLabel,
  ...input
}: Common & TextareaHTMLAttributes<HTMLTextAreaElement> & ComponentPropsWithRef<'textarea'>) => (
  <Labelled label={label} hint={hint} error={error} hideLabel={hideLabel}>
    <textarea className={styles.input} {...input} />
  </Labelled>
)

export const SelectField = ({
  label,
  hint,
  error,
  hideLabel,
  options,
  ...select
}: Common &
  SelectHTMLAttributes<HTMLSelectElement> &
  ComponentPropsWithRef<'select'> & { options: readonly (readonly [value: string, text: string])[] }) => (
  <Labelled label={label} hint={hint} error={error} hideLabel={hideLabel}>
    <select className={styles.input} {...select}>
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  </Labelled>
)

export function CheckField({
  label,
  hint,
  error,
  ...input
}: Common & InputHTMLAttributes<HTMLInputElement> & ComponentPropsWithRef<'input'>) {
  const id = useId()
  return (
    <div className={styles.field}>
      <span className={styles.check}>
        <input id={id} type="checkbox" aria-describedby={hint ? `${id}-hint` : undefined} {...input} />
        <label htmlFor={id}>{label}</label>
      </span>
      {hint && (
        <span id={`${id}-hint`} className={styles.hint}>
          {hint}
        </span>
      )}
      {error && (
        <span className={styles.error} role="alert">
          {error}
        </span>
      )}
    </div>
  )
}
