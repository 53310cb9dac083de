import type { CameraUse } from './camera.ts'
import { greyOf, sharpnessOf } from './quality/grey.ts'
import { documentBounds } from './quality/judge-document.ts'
import { faceBounds } from './quality/judge-face.ts'

/** A picture ready for upload, upright and without metadata. */
export type Photo = {
  blob: Blob
  url: string
  width: number
  height: number
  method: 'camera' | 'upload'
  /** The issue that the quick quality check found; the person decides. */
  doubt: 'dark' | 'blur' | 'small' | null
}

/** Longest side and JPEG quality of uploads; higher values do not improve recognition. */
const longestSide = 2560
const jpegQuality = 0.9
/** Minimum of the shorter side, in pixels; below it small print is lost. */
const leastShortSide = 480

/** Longest side of face frames; smaller, because an attempt has many of them. */
const faceSide = 1024
/** Longest side of movement frames; they are evaluated at 640 pixels, and slow networks must carry eight of them. */
export const movementSide = 720

/** The video's current frame, unmirrored and only downscaled. */
export function photoOfVideo(
  video: HTMLVideoElement,
  use: CameraUse,
  longest = use === 'face' ? faceSide : longestSide,
): Promise<Photo> {
  return draw(video, video.videoWidth, video.videoHeight, { method: 'camera', use, longest })
}

/**
 * A picture from a file, rotated according to its metadata, downscaled, and stripped of that metadata (including
 * location and device). Null if the browser cannot open it.
 */
export async function photoOfFile(file: File, use: CameraUse): Promise<Photo | null> {
  const image = await open(file)
  if (!image) return null
  try {
    return await draw(image.source, image.width, image.height, {
      method: 'upload',
      use,
      longest: longestSide,
    })
  } finally {
    image.close()
  }
}

type Opened = { source: CanvasImageSource; width: number; height: number; close: () => void }

async function open(file: File): Promise<Opened | null> {
  try {
    const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' })
    return { source: bitmap, width: bitmap.width, height: bitmap.height, close: () => bitmap.close() }
  } catch {
    return openAsElement(file)
  }
}

/** For browsers whose ImageBitmap ignores orientation; their image elements apply it. */
async function openAsElement(file: File): Promise<Opened | null> {
  const url = URL.createObjectURL(file)
  const image = new Image()
  image.src = url
  try {
    await image.decode()
  } catch {
    URL.revokeObjectURL(url)
    return null
  }
  return {
    source: image,
    width: image.naturalWidth,
    height: image.naturalHeight,
    close: () => URL.revokeObjectURL(url),
  }
}

async function draw(
  source: CanvasImageSource,
  fullWidth: number,
  fullHeight: number,
  { method, use, longest }: { method: Photo['method']; use: CameraUse; longest: number },
): Promise<Photo> {
  const scale = Math.min(1, longest / Math.max(fullWidth, fullHeight))
  const width = Math.round(fullWidth * scale)
  const height = Math.round(fullHeight * scale)
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d')!
  context.imageSmoothingQuality = 'high'
  context.drawImage(source, 0, 0, width, height)
  const blob = await new Promise<Blob>((resolve, reject) => {
    canvas.toBlob((made) => (made ? resolve(made) : reject(new Error('no JPEG'))), 'image/jpeg', jpegQuality)
  })
  const doubt = doubtOf(context, width, height, use)
  return { blob, url: URL.createObjectURL(blob), width, height, method, doubt }
}

/**
 * Faces have a lower bound because skin is smoother than print. The least sharp photographed document measures 0.053,
 * and 0.010 when blurred by 4 pixels.
 */
const leastSharpness = { document: documentBounds.sharpness, face: faceBounds.sharpness }

/** Checks the centre of the picture at native size. */
function doubtOf(
  context: CanvasRenderingContext2D,
  width: number,
  height: number,
  use: CameraUse,
): Photo['doubt'] {
  if (Math.min(width, height) < leastShortSide) return 'small'
  const [partWidth, partHeight] = [Math.min(width, 768), Math.min(height, 512)]
  const [left, top] = [Math.round((width - partWidth) / 2), Math.round((height - partHeight) / 2)]
  const middle = greyOf(context.getImageData(left, top, partWidth, partHeight).data, partWidth, partHeight)
  let sum = 0
  for (const value of middle.data) sum += value
  if (sum / middle.data.length < documentBounds.dark) return 'dark'
  const sharpness = sharpnessOf(middle)
  return sharpness !== null && sharpness < leastSharpness[use] ? 'blur' : null
}

export const forgetPhoto = (photo: Photo | null): void => {
  if (photo) URL.revokeObjectURL(photo.url)
}
