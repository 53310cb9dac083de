import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { useApp } from '../app/context.ts'
import type { MessageKey } from '../i18n/catalogue.ts'
import { watchFrames } from './frame-watcher.ts'
import type { Rect } from './guide.ts'
import { type Photo, photoOfVideo } from './photo.ts'
import type { FrameAnswer } from './quality/quality-worker.ts'
import { steady, unsteady } from './quality/steady.ts'
import type { CameraHandle } from './use-camera.ts'
import { Icon, Viewfinder } from './viewfinder.tsx'

/** The shutter appears after one second; after 20 seconds without a picture, the person is reminded of it. */
const shutterAfterMs = 1_000
const remindAfterMs = 20_000
/** Number of frames of a face and the time between them, so that a blink spoils only one. */
const faceFrames = 3
const frameEveryMs = 250

const hintKey = (verdict: FrameAnswer): MessageKey => `hint_${verdict}`

/** Takes the photo automatically when the picture is good and still, or when the person presses the shutter. */
export function AutoCamera(props: {
  handle: CameraHandle
  title: string
  guideOf: (width: number, height: number) => Rect
  onPhotos: (photos: Photo[]) => void
  onClose: () => void
}) {
  const { t, announce } = useApp()
  const { handle, guideOf, onPhotos } = props
  const video = useRef<HTMLVideoElement>(null)
  const state = useRef(unsteady<FrameAnswer>())
  const shooting = useRef(false)
  const [ready, setReady] = useState(false)
  const [shutter, setShutter] = useState(false)
  const [auto, setAuto] = useState(true)
  const [hint, setHint] = useState<FrameAnswer | null>(null)
  const [reminded, setReminded] = useState(false)
  const use = handle.camera?.use ?? 'document'

  const shoot = useCallback(async () => {
    if (shooting.current || !video.current || video.current.videoWidth === 0) return
    shooting.current = true
    const photos: Photo[] = []
    const wanted = use === 'face' ? faceFrames : 1
    while (photos.length < wanted && video.current) {
      if (photos.length > 0) await new Promise((resume) => setTimeout(resume, frameEveryMs))
      photos.push(await photoOfVideo(video.current, use))
    }
    navigator.vibrate?.(40)
    announce(t('photo_taken'), 'assertive')
    onPhotos(photos)
  }, [use, onPhotos, announce, t])

  useEffect(() => {
    if (!ready || !video.current) return
    const showShutter = setTimeout(() => setShutter(true), shutterAfterMs)
    const remind = setTimeout(() => {
      setReminded(true)
      announce(t('take_it_yourself'))
    }, remindAfterMs)
    const watcher = watchFrames(video.current, use, guideOf, (verdict) => {
      const step = steady(state.current, verdict, performance.now())
      state.current = step.next
      setHint(step.next.hint)
      if (step.say) announce(t(hintKey(step.say)))
      if (step.capture && auto) void shoot()
    })
    return () => {
      clearTimeout(showShutter)
      clearTimeout(remind)
      watcher.stop()
    }
  }, [ready, auto, use, guideOf, shoot, announce, t])

  const good = hint === 'ok'
  const text = hint && t(hintKey(hint))
  return (
    <Viewfinder
      handle={handle}
      video={video}
      title={props.title}
      guideOf={guideOf}
      hint={reminded && !good ? [text, t('take_it_yourself')].filter(Boolean).join(' · ') : text}
      good={good}
      onReady={() => setReady(true)}
      onClose={props.onClose}
    >
      <div class="camera-side">
        <button type="button" class="chip" aria-pressed={auto} onClick={() => setAuto(!auto)}>
          {t(auto ? 'auto_on' : 'auto_off')}
        </button>
      </div>
      <button
        type="button"
        class="shutter"
        aria-label={t('take_photo')}
        aria-disabled={!shutter}
        onClick={() => shutter && void shoot()}
      >
        <span />
      </button>
      <Extras handle={handle} />
    </Viewfinder>
  )
}

/** Controls for torch, zoom and other cameras, if the device has them. */
function Extras({ handle }: { handle: CameraHandle }) {
  const { t } = useApp()
  const [light, setLight] = useState(false)
  const [zoom, setZoom] = useState<number | null>(null)
  if (handle.state.status !== 'live') return <div class="camera-side" />
  const { controls } = handle.state
  return (
    <div class="camera-side">
      {controls.torch && (
        <button
          type="button"
          class="round"
          aria-label={t(light ? 'light_off' : 'light_on')}
          onClick={async () => {
            if (await handle.camera?.setTorch(!light)) setLight(!light)
          }}
        >
          <Icon d="M13 2L5 14h6l-1 8 8-12h-6z" />
        </button>
      )}
      {controls.cameras > 1 && handle.camera?.use === 'document' && (
        <button
          type="button"
          class="round"
          aria-label={t('switch_camera')}
          onClick={() => handle.camera?.switch()}
        >
          <Icon d="M4 8h13l-3-3M20 16H7l3 3" />
        </button>
      )}
      {controls.zoom && (
        <input
          type="range"
          class="zoom"
          aria-label={t('zoom')}
          min={controls.zoom.min}
          max={Math.min(controls.zoom.max, 4)}
          step={controls.zoom.step}
          value={zoom ?? controls.zoom.min}
          onInput={(event) => {
            const value = event.currentTarget.valueAsNumber
            setZoom(value)
            void handle.camera?.setZoom(value)
          }}
        />
      )}
    </div>
  )
}
