import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'

type Props = {
  title: string
  action: string
  open: boolean
  busy: boolean
  onConfirm: () => void
  onClose: () => void
  children: ReactNode
}

/** Asks for confirmation before an action that cannot be undone. */
export const ConfirmDialog = ({ title, action, open, busy, onConfirm, onClose, children }: Props) => (
  <Dialog title={title} open={open} onClose={onClose}>
    <div>{children}</div>
    <DialogActions>
      <Button onClick={onClose}>Cancel</Button>
      <Button variant="danger" busy={busy} onClick={onConfirm}>
        {action}
      </Button>
    </DialogActions>
  </Dialog>
)
