import type { ReactNode } from 'react'
import styles from './chips.module.css'
import { Icon } from './icon.tsx'

/** The filters of a list. Their values are in the URL. */
export const Chips = ({ label, children }: { label: string; children: ReactNode }) => (
  <search className={styles.chips} aria-label={label}>
    {children}
  </search>
)

type ChipProps = { on: boolean; onChange: (on: boolean) => void; children: ReactNode }
export const Chip = ({ on, onChange, children }: ChipProps) => (
  <button type="button" className={styles.chip} aria-pressed={on} onClick={() => onChange(!on)}>
    {on && <Icon name="check" size={12} />}
    {children}
  </button>
)

type ChoiceProps = {
  label: string
  value: string | undefined
  options: readonly (readonly [value: string, text: string])[]
  onChange: (value: string | undefined) => void
}
/** A filter with several values; the first option is "no filter". */
export const ChipSelect = ({ label, value, options, onChange }: ChoiceProps) => (
  <select
    className={`${styles.chip} ${styles.select}`}
    aria-label={label}
    data-set={value !== undefined}
    value={value ?? ''}
    onChange={(event) => onChange(event.target.value === '' ? undefined : event.target.value)}
  >
    <option value="">{label}: any</option>
    {options.map(([key, text]) => (
      <option key={key} value={key}>
        {value === key ? `${label}: ${text}` : text}
      </option>
    ))}
  </select>
)
