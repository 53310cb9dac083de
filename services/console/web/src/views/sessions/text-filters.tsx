import type { SessionsSearch } from '../../app/search.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import styles from './text-filters.module.css'

type Props = {
  search: SessionsSearch
  onApply: (search: SessionsSearch) => void
  onClear: (() => void) | undefined
}

const fields = [
  ['name', 'Name', 'text', 'On the document'],
  ['vendor_data', 'Your reference', 'text', 'vendor_data, exactly'],
  ['id', 'Session id', 'text', 'ses_…'],
  ['warning', 'Warning', 'text', 'e.g. image_glare'],
  ['from', 'Created from', 'date', ''],
  ['to', 'Created to', 'date', ''],
] as const

export const TextFilters = ({ search, onApply, onClear }: Props) => (
  <form
    className={styles.filters}
    onSubmit={(event) => {
      event.preventDefault()
      const form = new FormData(event.currentTarget)
      const given = fields.map(([name]) => [name, String(form.get(name) ?? '').trim() || undefined])
      onApply(Object.fromEntries(given) as SessionsSearch)
    }}
  >
    {fields.map(([name, label, type, placeholder]) => (
      <TextField
        key={name}
        name={name}
        label={label}
        type={type}
        placeholder={placeholder}
        defaultValue={search[name] ?? ''}
      />
    ))}
    <Button type="submit">Apply</Button>
    {onClear && (
      <Button variant="quiet" onClick={onClear}>
        Clear all
      </Button>
    )}
  </form>
)
