import type { DocumentType } from '@kyc/common'
import { useCallback, useEffect, useState } from 'preact/hooks'
import type { DocumentAnswer } from '../../api/flow-api.ts'
import { useApp } from '../../app/context.ts'
import { AutoCamera } from '../../capture/auto-camera.tsx'
import { CameraHelp } from '../../capture/camera-help.tsx'
import { cardAspect, guideIn, pageAspect } from '../../capture/guide.ts'
import { forgetPhoto, type Photo, photoOfFile } from '../../capture/photo.ts'
import { PhotoCheck } from '../../capture/photo-check.tsx'
import { Sending } from '../../capture/sending.tsx'
import { useCamera } from '../../capture/use-camera.ts'
import { useUpload } from '../../capture/use-upload.ts'
import { Kept, Refused } from '../../capture/verdict.tsx'
import { Button, FileButton } from '../../ui/controls.tsx'
import type { StepProps } from '../registry.tsx'
import { ChooseDocument, type Chosen } from './choose-document.tsx'
import { isBooklet } from './kinds.ts'
import { Prepare } from './prepare.tsx'

type Stage = 'choose' | 'prepare' | 'camera' | 'check' | 'verdict'

/** Choose, photograph, review and send, once per side. The server decides which sides are done. */
export function DocumentStep({ options }: StepProps<'document'>) {
  const { t, api, refresh } = useApp()
  const side = options.needs_back ? 'back' : 'front'
  const resumed: Chosen | null =
    options.document_type && options.sides.length > 0 ? { kind: options.document_type, country: null } : null
  const [chosen, setChosen] = useState<Chosen | null>(resumed)
  const [stage, setStage] = useState<Stage>(resumed ? 'prepare' : 'choose')
  const [photo, setPhoto] = useState<Photo | null>(null)
  const [answer, setAnswer] = useState<DocumentAnswer | null>(null)
  const [unreadable, setUnreadable] = useState(false)
  const camera = useCamera('document')
  const { sending, problem, progress, send } = useUpload()
  useEffect(() => () => forgetPhoto(photo), [photo])

  const kind: DocumentType = chosen?.kind ?? 'passport'
  const aspect = isBooklet(kind) ? pageAspect : cardAspect
  const guideOf = useCallback((width: number, height: number) => guideIn(width, height, aspect), [aspect])
  const title = side === 'back' ? t('back_of_document') : t(`front_${kind}`)

  const openCamera = () => {
    camera.start()
    setStage('camera')
  }
  const closeCamera = useCallback(() => {
    camera.close()
    setStage('prepare')
  }, [camera.close])
  const taken = useCallback(
    ([first]: Photo[]) => {
      camera.close()
      setPhoto(first ?? null)
      setStage('check')
    },
    [camera.close],
  )
  const takeFile = async (file: File) => {
    camera.close()
    const made = await photoOfFile(file, 'document')
    setUnreadable(made === null)
    setPhoto(made)
    setStage(made ? 'check' : 'prepare')
  }
  const retake = () => {
    api.event('retake')
    if (photo?.method === 'upload') setStage('prepare')
    else openCamera()
  }
  const sendPhoto = () =>
    send(async (uploadId, upload) => {
      if (!photo) return
      const fields = {
        side,
        document_type: kind,
        capture_method: photo.method,
        upload_id: uploadId,
        ...(chosen?.country ? { country: chosen.country } : {}),
      }
      const judged = await api.uploadDocument(fields, photo.blob, upload)
      setAnswer(judged)
      setStage('verdict')
      if (judged.accepted && judged.issues.length === 0) await goOn()
    })
  const goOn = async () => {
    await refresh()
    setPhoto(null)
    setAnswer(null)
    setStage('prepare')
  }

  const upload = options.allow_upload
    ? { label: t('upload_photo'), capture: 'environment' as const, onFile: takeFile }
    : null
  if (sending) return <Sending progress={progress} />
  if (stage === 'choose') {
    return (
      <ChooseDocument
        options={options}
        onChosen={(choice) => {
          setChosen(choice)
          setStage('prepare')
        }}
      />
    )
  }
  if (stage === 'camera' && camera.state.status === 'failed')
    return <CameraHelp problem={camera.state.problem} onRetry={openCamera} upload={upload} />
  if (stage === 'camera') {
    return (
      <AutoCamera handle={camera} title={title} guideOf={guideOf} onPhotos={taken} onClose={closeCamera} />
    )
  }
  if (stage === 'check' && photo) {
    return <PhotoCheck photo={photo} face={false} problem={problem} onUse={sendPhoto} onRetake={retake} />
  }
  if (stage === 'verdict' && answer) {
    if (answer.accepted) return <Kept onContinue={goOn} />
    return (
      <Refused
        issue={answer.issues[0]}
        attemptsLeft={answer.attempts_remaining}
        actions={
          <>
            <Button onClick={retake}>{t('retake')}</Button>
            {upload && <FileButton label={upload.label} onFile={takeFile} />}
          </>
        }
      />
    )
  }
  return (
    <Prepare
      title={side === 'back' ? t('turn_over') : title}
      lead={side === 'back' ? t('turn_over_text') : t('prepare_text')}
      unreadable={unreadable}
      upload={upload}
      onCamera={openCamera}
      onBack={resumed || side === 'back' ? null : () => setStage('choose')}
    />
  )
}
