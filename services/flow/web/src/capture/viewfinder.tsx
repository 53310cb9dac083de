import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useBack } from '../app/back.ts'
import { useApp } from '../app/context.ts'
import type { Rect } from './guide.ts'
import type { CameraHandle } from './use-camera.ts'

type Size = { width: number; height: number }

/**
 * The uncropped camera picture with the guide drawn over it in video pixels, so that the guide on the screen matches
 * the guide of the checks in any orientation of phone and video.
 */
export function Viewfinder(props: {
  handle: CameraHandle
  video: RefObject<HTMLVideoElement | null>
  title: string
  guideOf: (width: number, height: number) => Rect
  /** Visible only; spoken hints go through the announcer. */
  hint: string | null
  good: boolean
  onReady: () => void
  onClose: () => void
  children: ComponentChildren
}) {
  const { t } = useApp()
  const { handle, video, onReady, onClose } = props
  const heading = useRef<HTMLHeadingElement>(null)
  const [size, setSize] = useState<Size | null>(null)
  const [needsTap, setNeedsTap] = useState(false)
  const stream = handle.state.status === 'live' ? handle.state.stream : null
  const face = handle.camera?.use === 'face'
  useBack(onClose)

  useEffect(() => {
    document.documentElement.classList.add('camera-open')
    heading.current?.focus({ preventScroll: true })
    return () => document.documentElement.classList.remove('camera-open')
  }, [])

  const play = () => {
    setNeedsTap(false)
    // In power-saving mode, phones block video autoplay.
    video.current?.play().catch(() => setNeedsTap(true))
  }
  useEffect(() => {
    if (!video.current || !stream) return
    video.current.srcObject = stream
    play()
  }, [stream])

  return (
    <section class="camera" aria-label={t('camera_view')}>
      <header class="camera-top">
        <button type="button" class="round" aria-label={t('close_camera')} onClick={onClose}>
          <Icon d="M6 6l12 12M18 6L6 18" />
        </button>
        <h1 ref={heading} tabIndex={-1}>
          {props.title}
        </h1>
      </header>
      <div class="camera-picture">
        <video
          ref={video}
          class={face ? 'mirrored' : ''}
          playsInline
          muted
          disablePictureInPicture
          onResize={(event) => setSize(sizeOf(event.currentTarget))}
          onPlaying={(event) => {
            setSize(sizeOf(event.currentTarget))
            onReady()
          }}
        />
        {size && (
          <Guide size={size} guide={props.guideOf(size.width, size.height)} face={face} good={props.good} />
        )}
        {handle.state.status === 'starting' && (
          <p class="camera-note">
            <span class="spinner" aria-hidden="true" />
            {t('camera_starting')}
          </p>
        )}
        {needsTap && (
          <button type="button" class="button button-primary camera-note" onClick={play}>
            {t('camera_tap')}
          </button>
        )}
      </div>
      <p class={`camera-hint ${props.good ? 'good' : ''}`} aria-hidden="true">
        {props.hint ?? '\u00a0'}
      </p>
      <div class="camera-controls">{props.children}</div>
    </section>
  )
}

const sizeOf = (video: HTMLVideoElement): Size => ({ width: video.videoWidth, height: video.videoHeight })

function Guide({ size, guide, face, good }: { size: Size; guide: Rect; face: boolean; good: boolean }) {
  const { width, height } = size
  const { x, y } = guide
  const line = Math.max(width, height) / 160
  const shape = face
    ? `M${x} ${y + guide.height / 2}a${guide.width / 2} ${guide.height / 2} 0 1 0 ${guide.width} 0a${guide.width / 2} ${guide.height / 2} 0 1 0 ${-guide.width} 0z`
    : `M${x} ${y}h${guide.width}v${guide.height}h${-guide.width}z`
  return (
    <svg class="camera-guide" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <path class="shade" fill-rule="evenodd" d={`M0 0h${width}v${height}h${-width}z${shape}`} />
      <path class={good ? 'line good' : 'line'} d={shape} stroke-width={line} />
    </svg>
  )
}

export function Icon({ d }: { d: string }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={d} />
    </svg>
  )
}
