import { copyFile, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'

/** The camera's picture: a single image as an endless stream. */
export type FakeCamera = {
  /** For Chromium's `--use-file-for-fake-video-capture`. */
  path: string
  /** Changes the picture; the camera shows it from the next time it is opened. */
  show(picture: Buffer): Promise<void>
  close(): Promise<void>
}

/** Chromium rereads the file each time a page opens the camera. */
export async function createFakeCamera(picture: Buffer): Promise<FakeCamera> {
  const folder = await mkdtemp(join(tmpdir(), 'kyc-camera-'))
  const path = join(folder, 'camera.mjpeg')
  const show = async (next: Buffer) => {
    await sharp(next).jpeg({ quality: 95 }).toFile(`${path}.jpg`)
    await copyFile(`${path}.jpg`, `${path}.next`)
    await rename(`${path}.next`, path)
  }
  await show(picture)
  return { path, show, close: () => rm(folder, { recursive: true, force: true }) }
}

const table = { r: 52, g: 58, b: 66 }

/** A document on a dark table, as seen by a camera that is held correctly: as large as the frame on the screen. */
export async function documentScene(document: Buffer, share = 0.84): Promise<Buffer> {
  const [width, height] = [1920, 1080]
  const page = await sharp(document)
    .resize({ height: Math.round(height * share) })
    .toBuffer()
  return sharp({ create: { width, height, channels: 3, background: table } })
    .composite([{ input: page }])
    .jpeg({ quality: 95 })
    .toBuffer()
}

/**
 * A person in front of the camera: the photograph fills the picture. It has no border, because liveness checks look
 * for the edge of a print.
 */
export async function faceScene(photo: Buffer): Promise<Buffer> {
  const { data, info } = await sharp(photo)
    .rotate()
    .resize({ width: 1280, height: 960, fit: 'inside' })
    .toBuffer({ resolveWithObject: true })
  const even = { left: 0, top: 0, width: info.width & ~1, height: info.height & ~1 }
  return sharp(data).extract(even).jpeg({ quality: 95 }).toBuffer()
}

/** A drawn face of no real person: sufficient for the light check, and for screenshots that show no real person. */
export async function drawnFace(): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="720" height="720">
    <rect width="720" height="720" fill="#9aa5ae"/>
    <path d="M150 720c0-130 90-190 210-190s210 60 210 190z" fill="#31506b"/>
    <rect x="305" y="470" width="110" height="110" fill="#b98563"/>
    <ellipse cx="360" cy="320" rx="155" ry="205" fill="#cf9b78"/>
    <path d="M205 300c-10-160 70-220 155-220s165 60 155 220c-30-90-60-120-155-120s-125 30-155 120z" fill="#3a2b22"/>
    <g fill="#4a3427"><rect x="252" y="266" width="74" height="14" rx="7"/><rect x="394" y="266" width="74" height="14" rx="7"/></g>
    <g fill="#3a2a20"><ellipse cx="290" cy="308" rx="30" ry="15"/><ellipse cx="430" cy="308" rx="30" ry="15"/></g>
    <path d="M360 300v86M340 390h40" stroke="#a9775a" stroke-width="9" fill="none" stroke-linecap="round"/>
    <path d="M300 446q60 38 120 0" stroke="#8c4a44" stroke-width="14" fill="none" stroke-linecap="round"/>
  </svg>`
  return sharp(Buffer.from(svg)).jpeg({ quality: 95 }).toBuffer()
}
