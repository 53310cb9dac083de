import type { Rect } from '../guide.ts'
import { type Grey, greyOf } from './grey.ts'
import { type DocumentHint, judgeDocument } from './judge-document.ts'
import { type FaceHint, judgeFace } from './judge-face.ts'

/** One frame: a downscaled copy and a crop at native size. The guide is in pixels of the downscaled copy. */
export type FrameQuestion = { use: 'document' | 'face'; small: ImageBitmap; native: ImageBitmap; guide: Rect }
export type FrameAnswer = DocumentHint | FaceHint

let before: Grey | null = null

function read(bitmap: ImageBitmap): Grey {
  const { width, height } = bitmap
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })!
  context.drawImage(bitmap, 0, 0)
  bitmap.close()
  return greyOf(context.getImageData(0, 0, width, height).data, width, height)
}

addEventListener('message', ({ data }: MessageEvent<FrameQuestion>) => {
  const small = read(data.small)
  const judge = data.use === 'document' ? judgeDocument : judgeFace
  const answer: FrameAnswer = judge(small, before, read(data.native), data.guide)
  before = small
  postMessage(answer)
})
