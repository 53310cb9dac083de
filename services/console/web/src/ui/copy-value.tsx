import { notify } from '../app/notices.tsx'
import { Button } from './button.tsx'
import styles from './copy-value.module.css'
import { Icon } from './icon.tsx'

/** A value with a button that copies it. */
export function CopyValue({ label, value }: { label: string; value: string }) {
  const copy = () =>
    navigator.clipboard.writeText(value).then(
      () => notify('Copied.'),
      () => notify('The browser did not allow to copy. Select the text instead.'),
    )
  return (
    <fieldset>
      <legend>{label}</legend>
      <div className={styles.row}>
        <code className={styles.value}>{value}</code>
        <Button icon aria-label={`Copy: ${label}`} onClick={() => void copy()}>
          <Icon name="copy" />
        </Button>
      </div>
    </fieldset>
  )
}
