import type { DocumentType, FlowStepOptions } from '@kyc/common'
import { useId, useMemo, useState } from 'preact/hooks'
import { useApp } from '../../app/context.ts'
import { Button } from '../../ui/controls.tsx'
import { Screen } from '../../ui/screen.tsx'
import { countriesIn, likelyCountry } from './countries.ts'
import { kindsFor } from './kinds.ts'

/** `country` is ISO alpha-3; null if the country is not listed. */
export type Chosen = { kind: DocumentType; country: string | null }

export function ChooseDocument(props: {
  options: FlowStepOptions['document']
  onChosen: (chosen: Chosen) => void
}) {
  const { t, language } = useApp()
  const { allowed_types, allowed_countries } = props.options
  const id = useId()
  const countries = useMemo(() => countriesIn(language, allowed_countries), [language, allowed_countries])
  const [country, setCountry] = useState<string | null>(() => likelyCountry(countries, navigator.languages))
  const kinds = kindsFor(country, allowed_types)
  const [picked, setPicked] = useState<DocumentType | null>(null)
  const [missing, setMissing] = useState(false)
  const kind = kinds.length === 1 ? kinds[0]! : picked !== null && kinds.includes(picked) ? picked : null
  const choose = (event: Event) => {
    event.preventDefault()
    if (kind === null) setMissing(true)
    else props.onChosen({ kind, country })
  }
  return (
    <form class="form" onSubmit={choose} noValidate>
      <Screen title={t('document_title')} actions={<Button submit>{t('go_on')}</Button>}>
        <div class="field">
          <label for={id}>{t('document_country')}</label>
          <select
            id={id}
            value={country ?? ''}
            onChange={(event) => setCountry(event.currentTarget.value || null)}
          >
            {allowed_countries === null && <option value="">{t('document_country_other')}</option>}
            {countries.map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </select>
        </div>
        <fieldset
          class="field"
          aria-invalid={missing ? true : undefined}
          aria-describedby={missing ? `${id}-missing` : undefined}
        >
          <legend>{t('document_kind')}</legend>
          {kinds.map((value) => (
            <label key={value} class="radio">
              <input
                type="radio"
                name="kind"
                value={value}
                checked={kind === value}
                onChange={() => {
                  setPicked(value)
                  setMissing(false)
                }}
              />
              <span>{t(`document_${value}`)}</span>
            </label>
          ))}
          {missing && (
            <p class="error" id={`${id}-missing`} role="alert">
              {t('document_kind_missing')}
            </p>
          )}
        </fieldset>
      </Screen>
    </form>
  )
}
