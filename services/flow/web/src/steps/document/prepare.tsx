import { useApp } from '../../app/context.ts'
import { Button, FileButton, Notice } from '../../ui/controls.tsx'
import { Screen } from '../../ui/screen.tsx'

/** Shown before the camera: explains what makes a good photo and that the browser will ask for permission. */
export function Prepare(props: {
  title: string
  lead: string
  unreadable: boolean
  upload: { label: string; onFile: (file: File) => void } | null
  onCamera: () => void
  onBack: (() => void) | null
}) {
  const { t } = useApp()
  return (
    <Screen
      title={props.title}
      lead={props.lead}
      actions={
        <>
          <Button onClick={props.onCamera}>{t('open_camera')}</Button>
          {props.upload && <FileButton label={props.upload.label} onFile={props.upload.onFile} />}
          {props.onBack && (
            <Button kind="quiet" onClick={props.onBack}>
              {t('go_back')}
            </Button>
          )}
        </>
      }
    >
      {props.unreadable && <Notice kind="bad">{t('upload_unreadable')}</Notice>}
      <ul class="examples">
        <li class="example">
          <Example />
          <span>{t('prepare_good')}</span>
        </li>
        <li class="example bad">
          <Example fault="cut" />
          <span>{t('prepare_bad_cut')}</span>
        </li>
        <li class="example bad">
          <Example fault="glare" />
          <span>{t('prepare_bad_glare')}</span>
        </li>
      </ul>
      <p class="small">{t('prepare_permission')}</p>
    </Screen>
  )
}

/** A drawing of a document on a table; the captions describe it. */
function Example({ fault }: { fault?: 'cut' | 'glare' }) {
  const shift = fault === 'cut' ? 'translate(26 14)' : undefined
  return (
    <svg viewBox="0 0 96 68" aria-hidden="true">
      <rect class="table" width="96" height="68" rx="8" />
      <g transform={shift}>
        <rect class="paper" x="13" y="12" width="70" height="44" rx="4" />
        <circle class="ink" cx="29" cy="27" r="6" />
        <path class="ink" d="M19 43a10 9 0 0 1 20 0z" />
        <path class="lines" d="M48 22h26M48 30h20M48 38h26M19 50h58" />
      </g>
      {fault === 'glare' && <ellipse class="shine" cx="58" cy="28" rx="18" ry="11" />}
      <g class={fault ? 'sign sign-bad' : 'sign sign-good'} transform="translate(82 56)">
        <circle r="9" />
        <path d={fault ? 'M-3-3l6 6M3-3l-6 6' : 'M-4 0l3 3 5-6'} />
      </g>
    </svg>
  )
}
