import type { CameraUse } from './camera.ts'
import type { Rect } from './guide.ts'
import { type Grey, greyOf } from './quality/grey.ts'
import { judgeDocument } from './quality/judge-document.ts'
import { judgeFace } from './quality/judge-face.ts'
import type { FrameAnswer, FrameQuestion } from './quality/quality-worker.ts'

/** The long side of the downscaled copy and the size of the crop at native size, in pixels. */
const smallSide = 320
const nativeSize = { width: 384, height: 256 }
/** Four frames per second in a worker, two on the main thread, where reading pixels back is slow. */
const workerEveryMs = 250
const pageEveryMs = 500

type Watcher = { stop: () => void }

/** Judges the video's frames one at a time until stopped. `guideOf` returns the guide for a picture of that size. */
export function watchFrames(
  video: HTMLVideoElement,
  use: CameraUse,
  guideOf: (width: number, height: number) => Rect,
  onVerdict: (verdict: FrameAnswer) => void,
): Watcher {
  const judge = canUseWorker() ? workerJudge(use, guideOf, onVerdict) : pageJudge(use, guideOf, onVerdict)
  let busy = false
  const timer = setInterval(() => {
    if (busy || video.videoWidth === 0 || video.paused) return
    busy = true
    judge
      .look(video)
      .catch(() => {})
      .finally(() => {
        busy = false
      })
  }, judge.everyMs)
  return {
    stop: () => {
      clearInterval(timer)
      judge.stop()
    },
  }
}

type Judge = { everyMs: number; look: (video: HTMLVideoElement) => Promise<void>; stop: () => void }
type GuideOf = (width: number, height: number) => Rect

const canUseWorker = () =>
  typeof OffscreenCanvas === 'function' &&
  typeof Worker === 'function' &&
  typeof createImageBitmap === 'function'

function smallSize({ videoWidth, videoHeight }: HTMLVideoElement) {
  const scale = smallSide / Math.max(videoWidth, videoHeight)
  return { width: Math.round(videoWidth * scale), height: Math.round(videoHeight * scale) }
}

/** The centre of the guide, where print or eyes are, in video coordinates. */
function nativePart(video: HTMLVideoElement, guideOf: GuideOf): Rect {
  const guide = guideOf(video.videoWidth, video.videoHeight)
  const width = Math.min(nativeSize.width, video.videoWidth)
  const height = Math.min(nativeSize.height, video.videoHeight)
  return { x: guide.x + (guide.width - width) / 2, y: guide.y + (guide.height - height) / 2, width, height }
}

function workerJudge(use: CameraUse, guideOf: GuideOf, onVerdict: (verdict: FrameAnswer) => void): Judge {
  const worker = new Worker(new URL('./quality/quality-worker.ts', import.meta.url), { type: 'module' })
  let answered: () => void = () => {}
  worker.onmessage = ({ data }: MessageEvent<FrameAnswer>) => {
    answered()
    onVerdict(data)
  }
  worker.onerror = () => answered()
  return {
    everyMs: workerEveryMs,
    stop: () => worker.terminate(),
    look: async (video) => {
      const { width, height } = smallSize(video)
      const part = nativePart(video, guideOf)
      const [small, native] = await Promise.all([
        createImageBitmap(video, { resizeWidth: width, resizeHeight: height, resizeQuality: 'medium' }),
        createImageBitmap(video, part.x, part.y, part.width, part.height),
      ])
      const question: FrameQuestion = { use, small, native, guide: guideOf(width, height) }
      await new Promise<void>((resolve) => {
        answered = resolve
        worker.postMessage(question, [small, native])
      })
    },
  }
}

function pageJudge(use: CameraUse, guideOf: GuideOf, onVerdict: (verdict: FrameAnswer) => void): Judge {
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d', { willReadFrequently: true })
  let before: Grey | null = null
  const read = (width: number, height: number, draw: (context: CanvasRenderingContext2D) => void): Grey => {
    canvas.width = width
    canvas.height = height
    draw(context!)
    return greyOf(context!.getImageData(0, 0, width, height).data, width, height)
  }
  return {
    everyMs: pageEveryMs,
    stop: () => {},
    look: async (video) => {
      const { width, height } = smallSize(video)
      const part = nativePart(video, guideOf)
      const small = read(width, height, (to) => to.drawImage(video, 0, 0, width, height))
      const native = read(part.width, part.height, (to) =>
        to.drawImage(video, part.x, part.y, part.width, part.height, 0, 0, part.width, part.height),
      )
      const judge = use === 'document' ? judgeDocument : judgeFace
      onVerdict(judge(small, before, native, guideOf(width, height)))
      before = small
    },
  }
}
