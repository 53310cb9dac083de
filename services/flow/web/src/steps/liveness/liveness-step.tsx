import { useCallback, useEffect, useState } from 'preact/hooks'
import type { Challenge, LivenessAnswer } from '../../api/flow-api.ts'
import { useApp } from '../../app/context.ts'
import { useTask } from '../../app/use-task.ts'
import { AutoCamera } from '../../capture/auto-camera.tsx'
import { CameraHelp } from '../../capture/camera-help.tsx'
import { ovalIn } from '../../capture/guide.ts'
import { forgetPhoto, type Photo, photoOfFile } from '../../capture/photo.ts'
import { PhotoCheck } from '../../capture/photo-check.tsx'
import { Sending } from '../../capture/sending.tsx'
import { useCamera } from '../../capture/use-camera.ts'
import { useUpload } from '../../capture/use-upload.ts'
import { Kept, Refused } from '../../capture/verdict.tsx'
import { Button, Notice } from '../../ui/controls.tsx'
import { Screen } from '../../ui/screen.tsx'
import type { StepProps } from '../registry.tsx'
import { ChallengeCamera } from './challenge-camera.tsx'

type Stage = 'intro' | 'camera' | 'check' | 'verdict'

/** One look into the camera (passive), or a few movements that only a present person can make (active). */
export function LivenessStep({ options }: StepProps<'liveness'>) {
  const { t, api, refresh } = useApp()
  const [stage, setStage] = useState<Stage>('intro')
  const [challenge, setChallenge] = useState<Challenge | null>(null)
  const [still, setStill] = useState(options.mode === 'passive')
  const [photos, setPhotos] = useState<Photo[]>([])
  const [answer, setAnswer] = useState<LivenessAnswer | null>(null)
  const [unreadable, setUnreadable] = useState(false)
  const camera = useCamera('face')
  const task = useTask()
  const { sending, problem, progress, send } = useUpload()
  useEffect(
    () => () => {
      for (const photo of photos) forgetPhoto(photo)
    },
    [photos],
  )

  /** Starts the camera directly in the tap handler and requests the challenge in parallel. */
  const open = (withoutMovement: boolean) => {
    setStill(withoutMovement)
    camera.start()
    void task.run(async () => {
      if (!withoutMovement) setChallenge(await api.challenge())
      setStage('camera')
    })
  }
  const close = useCallback(() => {
    camera.close()
    setStage('intro')
  }, [camera.close])
  const looked = useCallback(
    (taken: Photo[]) => {
      camera.close()
      setPhotos(taken)
      setStage('check')
    },
    [camera.close],
  )
  const sendFrames = (frames: Photo[], answered: Challenge | null) =>
    send(async (uploadId, upload) => {
      const { challenge_id } = answered ?? (await api.challenge(upload))
      const without = options.mode === 'active' && answered === null
      const fields = {
        challenge_id,
        upload_id: uploadId,
        ...(without ? { accommodation: 'no_movement' } : {}),
      }
      const blobs = frames.map(({ blob }) => blob)
      const judged = await api.uploadLiveness(fields, blobs, upload)
      setAnswer(judged)
      setStage('verdict')
      // Without movement, the person already knows that a reviewer looks at the photo, so no issues are shown.
      if (judged.accepted && (without || judged.issues.length === 0)) await refresh()
    })
  const moved = (frames: Photo[]) => {
    camera.close()
    setPhotos(frames)
    // If sending fails, the person starts again, because recorded movements cannot be reused later.
    setStage('intro')
    void sendFrames(frames, challenge)
  }
  const takeFile = async (file: File) => {
    camera.close()
    const photo = await photoOfFile(file, 'face')
    setUnreadable(photo === null)
    setStill(true)
    if (photo) looked([photo])
    else setStage('intro')
  }
  const retake = () => {
    api.event('retake')
    if (photos[0]?.method === 'upload') setStage('intro')
    else open(still)
  }

  // Without a camera no movement can be recorded, so the person uploads one photo for a reviewer.
  const upload = { label: t('face_upload'), capture: 'user' as const, onFile: takeFile }
  if (sending) return <Sending progress={progress} />
  if (camera.state.status === 'failed' && (stage === 'camera' || stage === 'intro')) {
    return <CameraHelp problem={camera.state.problem} onRetry={() => open(still)} upload={upload} />
  }
  if (stage === 'camera' && challenge && !still) {
    return <ChallengeCamera handle={camera} challenge={challenge} onFrames={moved} onClose={close} />
  }
  if (stage === 'camera') {
    return (
      <AutoCamera
        handle={camera}
        title={t('face_title')}
        guideOf={ovalIn}
        onPhotos={looked}
        onClose={close}
      />
    )
  }
  if (stage === 'check' && photos[0]) {
    return (
      <PhotoCheck
        photo={photos[0]}
        face
        problem={problem}
        onUse={() => sendFrames(photos, null)}
        onRetake={retake}
      />
    )
  }
  if (stage === 'verdict' && answer) {
    if (answer.accepted) return <Kept onContinue={() => void refresh()} />
    return (
      <Refused
        issue={answer.issues[0]}
        attemptsLeft={answer.attempts_remaining}
        actions={<Button onClick={retake}>{t('retake')}</Button>}
      />
    )
  }
  return (
    <Intro
      active={options.mode === 'active'}
      busy={task.busy}
      problem={task.problem ?? problem ?? (unreadable ? 'upload_unreadable' : null)}
      onStart={() => open(options.mode === 'passive')}
      onStill={() => open(true)}
    />
  )
}

function Intro(props: {
  active: boolean
  busy: boolean
  problem: Parameters<ReturnType<typeof useApp>['t']>[0] | null
  onStart: () => void
  onStill: () => void
}) {
  const { t } = useApp()
  return (
    <Screen
      title={t('face_title')}
      lead={t('face_text')}
      actions={
        <>
          <Button busy={props.busy} onClick={props.onStart}>
            {t('face_start')}
          </Button>
          {props.active && (
            <Button kind="quiet" onClick={props.onStill}>
              {t('cannot_move')}
            </Button>
          )}
        </>
      }
    >
      {props.problem && <Notice kind="bad">{t(props.problem)}</Notice>}
      <svg class="face-art" viewBox="0 0 120 140" aria-hidden="true">
        <ellipse class="face-oval" cx="60" cy="70" rx="46" ry="61" />
        <path class="face-lines" d="M42 60h.5M77 60h.5M60 64v18M46 96q14 11 28 0" />
      </svg>
      <p>{t('face_compare')}</p>
      {props.active && <p>{t('face_active_text')}</p>}
      {props.active && <p class="small">{t('cannot_move_text')}</p>}
      <p class="small">{t('prepare_permission')}</p>
    </Screen>
  )
}
