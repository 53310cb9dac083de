import { useState } from 'preact/hooks'
import { useApp } from '../app/context.ts'
import type { MessageKey } from '../i18n/catalogue.ts'
import { Button, Notice } from '../ui/controls.tsx'
import { Screen } from '../ui/screen.tsx'
import type { Photo } from './photo.ts'

const doubts = { dark: 'still_dark', blur: 'still_blur', small: 'still_small' } as const

/** Before the upload, the person reviews the photo, with a warning from a quick quality check. */
export function PhotoCheck(props: {
  photo: Photo
  face: boolean
  /** Why the photo could not be sent; it is retained. */
  problem: MessageKey | null
  onUse: () => void
  onRetake: () => void
}) {
  const { t } = useApp()
  const [large, setLarge] = useState(false)
  const { photo, face } = props
  const name: MessageKey = face ? 'photo_of_face' : 'photo_of_document'
  const doubtful = photo.doubt !== null
  return (
    <Screen
      title={t(face ? 'check_face' : 'check_photo')}
      lead={t(face ? 'check_face_text' : 'check_photo_text')}
      actions={
        <>
          <Button kind={doubtful ? 'secondary' : 'primary'} onClick={props.onUse}>
            {t('use_photo')}
          </Button>
          <Button kind={doubtful ? 'primary' : 'secondary'} onClick={props.onRetake}>
            {t('retake')}
          </Button>
        </>
      }
    >
      {props.problem && <Notice kind="bad">{t(props.problem)}</Notice>}
      {photo.doubt && <Notice kind="warn">{t(doubts[photo.doubt])}</Notice>}
      <div class={large ? 'photo photo-large' : 'photo'}>
        <button
          type="button"
          aria-label={t(large ? 'unzoom_photo' : 'zoom_photo')}
          onClick={() => setLarge(!large)}
        >
          <img src={photo.url} alt={t(name)} width={photo.width} height={photo.height} />
        </button>
      </div>
    </Screen>
  )
}
