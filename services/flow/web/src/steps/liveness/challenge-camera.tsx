import { useEffect, useRef, useState } from 'preact/hooks'
import type { Challenge } from '../../api/flow-api.ts'
import { useApp } from '../../app/context.ts'
import { watchFrames } from '../../capture/frame-watcher.ts'
import { ovalIn } from '../../capture/guide.ts'
import { movementSide, type Photo, photoOfVideo } from '../../capture/photo.ts'
import type { CameraHandle } from '../../capture/use-camera.ts'
import { Viewfinder } from '../../capture/viewfinder.tsx'
import type { MessageKey } from '../../i18n/catalogue.ts'
import { en } from '../../i18n/en.ts'
import { Button } from '../../ui/controls.tsx'

/** The frontal frame is taken after `goodFrames` good frames in a row, or after this time at the latest. */
const straightMs = 6_000
const goodFrames = 3
/** When the frames of a movement are taken, after its instruction; the range covers quick and slow people. */
const frameTimesMs = [1_200, 2_000, 2_800, 3_600]

/** The instruction for an action; an action that this page does not know is shown as "look straight". */
const instruction = (action: string): MessageKey => {
  const key = `action_${action}`
  return Object.hasOwn(en, key) ? (key as MessageKey) : 'action_look_straight'
}

/** Instructs the movements one by one and takes several frames of each. The server chooses and judges them. */
export function ChallengeCamera(props: {
  handle: CameraHandle
  challenge: Challenge
  onFrames: (frames: Photo[]) => void
  onClose: () => void
}) {
  const { t, announce } = useApp()
  const { challenge } = props
  const video = useRef<HTMLVideoElement>(null)
  const [ready, setReady] = useState(false)
  const [index, setIndex] = useState(-1)
  const [good, setGood] = useState(false)

  useEffect(() => {
    if (!ready || !video.current) return
    const left = new AbortController()
    void perform(video.current, challenge.actions, left.signal, {
      asked: (next) => {
        setGood(false)
        setIndex(next)
        announce(t(next < 0 ? 'action_look_straight' : instruction(challenge.actions[next]!)), 'assertive')
      },
      done: () => {
        setGood(true)
        navigator.vibrate?.(40)
        announce(t('action_done'))
      },
    }).then((frames) => frames && props.onFrames(frames))
    return () => left.abort()
  }, [ready])

  const text = t(index < 0 ? 'action_look_straight' : instruction(challenge.actions[index]!))
  return (
    <Viewfinder
      handle={props.handle}
      video={video}
      title={
        index < 0
          ? t('face_title')
          : t('action_number', { number: index + 1, total: challenge.actions.length })
      }
      guideOf={ovalIn}
      hint={good ? t('action_done') : text}
      good={good}
      onReady={() => setReady(true)}
      onClose={props.onClose}
    >
      <Button kind="secondary" onClick={props.onClose}>
        {t('cancel')}
      </Button>
    </Viewfinder>
  )
}

type Told = { asked: (index: number) => void; done: () => void }

/** Null if the person leaves before the end. */
async function perform(
  video: HTMLVideoElement,
  actions: readonly string[],
  left: AbortSignal,
  told: Told,
): Promise<Photo[] | null> {
  told.asked(-1)
  await untilStraight(video, left)
  if (left.aborted) return null
  const frames = [await photoOfVideo(video, 'face')]
  told.done()
  await wait(700, left)
  for (const index of actions.keys()) {
    told.asked(index)
    let since = 0
    for (const time of frameTimesMs) {
      await wait(time - since, left)
      if (left.aborted) return null
      since = time
      frames.push(await photoOfVideo(video, 'face', movementSide))
    }
    told.done()
    await wait(700, left)
  }
  return left.aborted ? null : frames
}

function untilStraight(video: HTMLVideoElement, left: AbortSignal): Promise<void> {
  return new Promise((resume) => {
    let seen = 0
    const end = () => {
      clearTimeout(timer)
      watcher.stop()
      resume()
    }
    const timer = setTimeout(end, straightMs)
    const watcher = watchFrames(video, 'face', ovalIn, (verdict) => {
      seen = verdict === 'ok' ? seen + 1 : 0
      if (seen === goodFrames) end()
    })
    left.addEventListener('abort', end, { once: true })
  })
}

const wait = (ms: number, left: AbortSignal) =>
  new Promise<void>((resume) => {
    const timer = setTimeout(resume, ms)
    left.addEventListener('abort', () => {
      clearTimeout(timer)
      resume()
    })
  })
