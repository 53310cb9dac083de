import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

/** The native modal dialog, which traps the focus and closes on Escape; afterwards the previous focus is restored. */
export function Dialog(props: { title: string; onClose: () => void; children: ComponentChildren }) {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const dialog = element.current
    const before = document.activeElement
    dialog?.showModal()
    return () => {
      dialog?.close()
      // Restore the focus explicitly, because a dialog removed from the DOM does not.
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={element}
      class="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        props.onClose()
      }}
    >
      <h2 id={id}>{props.title}</h2>
      {props.children}
    </dialog>
  )
}
