import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { useApp } from '../app/context.ts'

type ButtonProps = {
  children: ComponentChildren
  onClick?: () => void
  kind?: 'primary' | 'secondary' | 'quiet' | 'danger'
  submit?: boolean
  /** Shows "please wait" and ignores further presses, but keeps the focus. */
  busy?: boolean
}

export function Button({ children, onClick, kind = 'primary', submit = false, busy = false }: ButtonProps) {
  const { t } = useApp()
  return (
    <button
      type={submit ? 'submit' : 'button'}
      class={`button button-${kind}`}
      aria-disabled={busy}
      onClick={(event) => {
        if (busy) event.preventDefault()
        else onClick?.()
      }}
    >
      {busy ? (
        <>
          <span class="spinner" aria-hidden="true" />
          {t('please_wait')}
        </>
      ) : (
        children
      )}
    </button>
  )
}

/** A notice for the person; screen readers announce `bad` immediately. */
export function Notice({
  kind,
  children,
}: {
  kind: 'info' | 'ok' | 'warn' | 'bad'
  children: ComponentChildren
}) {
  return (
    <div class={`notice notice-${kind}`} role={kind === 'bad' || kind === 'warn' ? 'alert' : undefined}>
      <span class="notice-sign" aria-hidden="true">
        {kind === 'ok' ? '✓' : kind === 'info' ? 'i' : '!'}
      </span>
      <div>{children}</div>
    </div>
  )
}

/** A labelled field with its associated error and hint. */
export function Field(props: {
  label: string
  hint?: string | undefined
  error?: string | null
  value: string
  onInput: (value: string) => void
  input: {
    type: 'text' | 'email'
    autocomplete: AutoFill
    inputMode?: 'numeric' | 'email'
    maxLength?: number
    class?: string
  }
}) {
  const id = useId()
  const { input, error, hint } = props
  const described = [error ? `${id}-error` : '', hint ? `${id}-hint` : ''].filter(Boolean).join(' ')
  const common = {
    id,
    autocomplete: input.autocomplete,
    inputMode: input.inputMode,
    maxLength: input.maxLength,
    class: input.class,
    value: props.value,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': described || undefined,
    onInput: (event: { currentTarget: HTMLInputElement }) => props.onInput(event.currentTarget.value),
  }
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {/* Codes and addresses are left-to-right in every language. */}
      {input.type === 'email' ? (
        <input type="email" dir="ltr" {...common} />
      ) : (
        <input type="text" dir="ltr" {...common} />
      )}
      {error && (
        <p class="error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
    </div>
  )
}

/** A button that opens the file chooser, or the phone's own camera. */
export function FileButton(props: {
  label: string
  capture?: 'environment' | 'user'
  kind?: 'primary' | 'secondary' | 'quiet'
  onFile: (file: File) => void
}) {
  const id = useId()
  return (
    <div class="file">
      <input
        id={id}
        class="visually-hidden"
        type="file"
        accept="image/*"
        capture={props.capture}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0]
          event.currentTarget.value = ''
          if (file) props.onFile(file)
        }}
      />
      <label for={id} class={`button button-${props.kind ?? 'secondary'}`}>
        {props.label}
      </label>
    </div>
  )
}
