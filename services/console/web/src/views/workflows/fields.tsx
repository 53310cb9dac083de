import { type FieldPath, get, useFormContext } from 'react-hook-form'
import { CheckField, SelectField, TextField } from '../../ui/field.tsx'
import styles from './editor.module.css'
import type { FormInput } from './form.ts'

export type Name = FieldPath<FormInput>
type Common = { name: Name; label: string; hint?: string }

/** The contract's message for this field. */
export function useFieldError(name: Name): string | undefined {
  const { formState } = useFormContext<FormInput>()
  const message = (get(formState.errors, name) as { message?: unknown } | undefined)?.message
  return typeof message === 'string' ? message : undefined
}

/** A text field; with `nullable` an empty value is null. */
export function Setting({ name, label, hint, nullable }: Common & { nullable?: boolean }) {
  const { register } = useFormContext<FormInput>()
  return (
    <TextField
      label={label}
      hint={hint}
      error={useFieldError(name)}
      {...register(name, {
        setValueAs: (value: string | null) => (nullable && (value === '' || value === null) ? null : value),
      })}
    />
  )
}

export function Switch({ name, label, hint }: Common) {
  const { register } = useFormContext<FormInput>()
  return <CheckField label={label} hint={hint} error={useFieldError(name)} {...register(name)} />
}

export function NumberSetting({ name, label, hint, min, max }: Common & { min: number; max: number }) {
  const { register } = useFormContext<FormInput>()
  return (
    <TextField
      label={label}
      hint={hint}
      type="number"
      min={min}
      max={max}
      error={useFieldError(name)}
      {...register(name, { valueAsNumber: true })}
    />
  )
}

/** A score from 0 to 1, as a slider and as a field for the exact number. */
export function Threshold({ name, label, hint }: Common) {
  const { register, watch, setValue } = useFormContext<FormInput>()
  const value = Number(watch(name))
  return (
    <div className={styles.threshold}>
      <TextField
        label={label}
        hint={hint}
        type="number"
        min={0}
        max={1}
        step={0.001}
        error={useFieldError(name)}
        {...register(name, { valueAsNumber: true })}
      />
      <input
        type="range"
        aria-label={`${label}, slider`}
        min={0}
        max={1}
        step={0.005}
        value={Number.isFinite(value) ? value : 0}
        onChange={(event) =>
          setValue(name, Number(event.target.value), {
            shouldDirty: true,
            shouldTouch: true,
            shouldValidate: true,
          })
        }
      />
    </div>
  )
}

export function Choice({
  name,
  label,
  hint,
  options,
  setValueAs,
}: Common & {
  options: readonly (readonly [value: string, text: string])[]
  setValueAs?: (value: unknown) => unknown
}) {
  const { register } = useFormContext<FormInput>()
  return (
    <SelectField
      label={label}
      hint={hint}
      options={options}
      error={useFieldError(name)}
      {...register(name, setValueAs ? { setValueAs } : {})}
    />
  )
}

const actions = [
  ['none', 'Nothing'],
  ['review', 'Review by a person'],
  ['decline', 'Decline'],
] as const
export const ActionChoice = (props: Common) => <Choice {...props} options={actions} />

/** Several codes, separated by commas; empty means `[]`, or null where null means all. */
export function CodeList({
  name,
  label,
  hint,
  upper,
  emptyIsNull,
}: Common & { upper?: boolean; emptyIsNull?: boolean }) {
  const { watch, setValue } = useFormContext<FormInput>()
  const values = (watch(name) ?? []) as readonly string[]
  return (
    <TextField
      key={values.join()}
      label={label}
      hint={hint}
      error={useFieldError(name)}
      defaultValue={values.join(', ')}
      onBlur={(event) => {
        const codes = event.target.value
          .split(/[\s,]+/)
          .filter(Boolean)
          .map((code) => (upper ? code.toUpperCase() : code))
        const next = codes.length === 0 && emptyIsNull ? null : codes
        if (JSON.stringify(next) === JSON.stringify(watch(name))) return
        setValue(name, next, { shouldDirty: true, shouldTouch: true, shouldValidate: true })
      }}
    />
  )
}
