import { useState } from 'react'
import { Button } from './button.tsx'
import { CopyValue } from './copy-value.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import { CheckField } from './field.tsx'

type Props = {
  title: string
  values: readonly (readonly [label: string, value: string])[]
  onClose: () => void
}

/** A value that is shown once. The dialog closes only after the user confirms that it is stored. */
export function SecretDialog({ title, values, onClose }: Props) {
  const [stored, setStored] = useState(false)
  return (
    <Dialog title={title} open onClose={onClose} dismissable={false}>
      {values.map(([label, value]) => (
        <CopyValue key={label} label={label} value={value} />
      ))}
      <p className="muted">It is not shown again.</p>
      <CheckField
        label="I stored it"
        checked={stored}
        onChange={(event) => setStored(event.target.checked)}
      />
      <DialogActions>
        <Button variant="primary" onClick={onClose} reason={!stored && 'Store it first'}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  )
}
