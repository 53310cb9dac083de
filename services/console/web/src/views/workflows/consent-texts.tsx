import { useState } from 'react'
import { useFormContext } from 'react-hook-form'
import { Badge } from '../../ui/badge.tsx'
import { TextArea } from '../../ui/field.tsx'
import styles from './editor.module.css'
import { useFieldError } from './fields.tsx'
import type { FormInput } from './form.ts'

/** The consent text in each language of the workflow; marks languages without one. */
export function ConsentTexts() {
  const { watch, setValue } = useFormContext<FormInput>()
  const locales = watch('config.locales') ?? ['en']
  const texts = watch('config.steps.consent.text') ?? {}
  const all = [...new Set([...locales, ...Object.keys(texts)])]
  const [chosen, setChosen] = useState(all[0] ?? 'en')
  const locale = all.includes(chosen) ? chosen : (all[0] ?? 'en')
  const error = useFieldError('config.steps.consent.text')
  const change = (text: string) => {
    const { [locale]: _, ...others } = texts
    setValue('config.steps.consent.text', text === '' ? others : { ...others, [locale]: text }, {
      shouldDirty: true,
      shouldValidate: true,
    })
  }
  return (
    <fieldset className={styles.texts}>
      <legend>Text</legend>
      <div className={styles.tabs}>
        {all.map((item) => (
          <button
            key={item}
            type="button"
            className={styles.tab}
            aria-pressed={item === locale}
            onClick={() => setChosen(item)}
          >
            {item} {!texts[item] && <Badge tone="warn">missing</Badge>}
          </button>
        ))}
      </div>
      <TextArea
        key={locale}
        label={`Consent text (${locale})`}
        lang={locale}
        rows={5}
        maxLength={20_000}
        value={texts[locale] ?? ''}
        error={error}
        onChange={(event) => change(event.target.value)}
      />
    </fieldset>
  )
}
