import styles from './keys.module.css'

/** A shortcut as key caps. Screen readers get it from aria-keyshortcuts or the help dialog. */
export const Keys = ({ keys }: { keys: string }) => (
  <span aria-hidden="true">
    <kbd className={styles.keys}>{keys}</kbd>
  </span>
)
