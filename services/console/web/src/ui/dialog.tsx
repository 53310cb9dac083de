import type { ReactNode } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import styles from './dialog.module.css'

type Props = {
  title: string
  open: boolean
  onClose: () => void
  wide?: boolean
  /** False if closing by accident would lose something that is shown once. */
  dismissable?: boolean
  children: ReactNode
}

/** A modal dialog: traps the focus and restores it on closing; Escape closes it. */
export const Dialog = ({ title, open, onClose, wide, dismissable = true, children }: Props) => (
  <ModalOverlay
    className={styles.overlay}
    isOpen={open}
    isDismissable={dismissable}
    isKeyboardDismissDisabled={!dismissable}
    onOpenChange={(isOpen) => !isOpen && onClose()}
  >
    <Modal className={`${styles.modal} ${wide ? styles.wide : ''}`}>
      <AriaDialog className={styles.dialog}>
        <Heading slot="title" level={2}>
          {title}
        </Heading>
        {children}
      </AriaDialog>
    </Modal>
  </ModalOverlay>
)

export const DialogActions = ({ children }: { children: ReactNode }) => (
  <div className={styles.actions}>{children}</div>
)
