import { createModelStore, silentLogger } from '@kyc/runtime'
import { FaceEngine } from '@kyc/service-face-biometrics'
import { modelsDir } from '@kyc/testing'
import sharp from 'sharp'
import { type Landmarks, type Point, type Pose, turnHead } from './head.ts'

/** Movements of the head; coming closer only changes the camera's distance and needs no separate picture. */
const poses = {
  turn_left: { yaw: 30, pitch: 0 },
  turn_right: { yaw: -30, pitch: 0 },
  look_up: { yaw: 0, pitch: 36 },
} as const satisfies Record<string, Pose>

/** Pictures per movement, from looking straight to its end. */
const stages = 4

/** What a person can show the camera: JPEGs in base64, with the stages of each movement. */
export type Performance = { straight: string } & Record<keyof typeof poses, string[]>

/** Camera images of the person in the photograph, looking straight and while the head moves. */
export async function movingHead(photo: Buffer): Promise<Performance> {
  const scene = await withRoom(photo)
  const landmarks = await landmarksOf(scene)
  const { data, info } = await sharp(scene).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const picture = { data, width: info.width, height: info.height }
  const jpeg = async (pixels: Buffer) => {
    const { width, height } = picture
    const made = await sharp(pixels, { raw: { width, height, channels: 3 } })
      .jpeg({ quality: 92 })
      .toBuffer()
    return made.toString('base64')
  }
  const moved = ({ yaw, pitch }: Pose) =>
    Promise.all(
      Array.from({ length: stages }, (_, index) => {
        const share = (index + 1) / stages
        return jpeg(turnHead(picture, landmarks, { yaw: yaw * share, pitch: pitch * share }))
      }),
    )
  return {
    straight: await jpeg(data),
    turn_left: await moved(poses.turn_left),
    turn_right: await moved(poses.turn_right),
    look_up: await moved(poses.look_up),
  }
}

/** A mirrored margin around the person, so that some of it is left after coming closer. */
async function withRoom(photo: Buffer): Promise<Buffer> {
  const upright = await sharp(photo).rotate().toBuffer({ resolveWithObject: true })
  const { width, height } = upright.info
  const [side, above, below] = [0.22 * width, 0.09 * height, 0.07 * height].map(Math.round) as [
    number,
    number,
    number,
  ]
  const wide = await sharp(upright.data)
    .extend({ left: side, right: side, top: above, bottom: below, extendWith: 'mirror' })
    .toBuffer()
  return sharp(wide).resize({ width: 800, height: 600, fit: 'inside' }).png().toBuffer()
}

async function landmarksOf(scene: Buffer): Promise<Landmarks> {
  const store = createModelStore({ directory: modelsDir() ?? '', logger: silentLogger })
  const engine = new FaceEngine({ resolveModel: store.resolve })
  try {
    const { prominent, image } = await engine.detect(scene)
    if (!prominent) throw new Error('no face in the photograph')
    const inScene = ({ x, y }: Point): Point => ({ x: x / image.scale, y: y / image.scale })
    const { right_eye, left_eye } = prominent.landmarks
    return { right_eye: inScene(right_eye), left_eye: inScene(left_eye) }
  } finally {
    await engine.close()
  }
}

/** The announcement that requests a movement, and the one that confirms it. */
export type Cues = Record<'turn_left' | 'turn_right' | 'look_up' | 'come_closer' | 'done', string>

/**
 * Runs in the page before its scripts: the front camera shows a person who follows the page's spoken instructions,
 * like someone who cannot see the screen, and who never stays completely still. With `moves` false it shows a
 * photograph held in front of the camera, which is moved about and brought closer but cannot do more. Other cameras
 * are unchanged.
 */
export const personBeforeCamera = (performance: Performance, cues: Cues, moves = true): string => `
  (() => {
    const cues = ${JSON.stringify(cues)}
    const moves = ${moves}
    const decode = async (text) => {
      const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
      return createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }))
    }
    const performance = ${JSON.stringify(performance)}
    const real = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
    navigator.mediaDevices.getUserMedia = async (constraints) =>
      constraints.video.facingMode?.ideal === 'user' ? film() : real(constraints)

    async function film() {
      const straight = await decode(performance.straight)
      const stages = {}
      for (const action of ['turn_left', 'turn_right', 'look_up'])
        stages[action] = [straight, ...(await Promise.all(performance[action].map(decode)))]
      const canvas = document.createElement('canvas')
      canvas.width = straight.width
      canvas.height = straight.height
      const context = canvas.getContext('2d')
      const stream = canvas.captureStream(15)
      const heard = () => {
        const said = document.querySelector('[aria-live=assertive]')?.textContent
        const asked = Object.keys(cues).find((cue) => cues[cue] === said)
        return asked ?? (document.querySelector('[role=status]')?.textContent === cues.done ? 'done' : null)
      }
      let [action, share, before, time] = [null, 0, Date.now(), 0]
      const draw = () => {
        const now = Date.now()
        const passed = (now - before) / 1000
        before = now
        time += passed
        const cue = heard()
        if (cue === 'done') share = Math.max(0, share - passed * 2)
        else if (cue !== null && cue !== action) [action, share] = [cue, 0]
        else if (action !== null) share = Math.min(1, share + passed * 1.5)
        const pictures = moves && stages[action]
        const picture = pictures ? pictures[Math.round(share * (pictures.length - 1))] : straight
        const closer = action === 'come_closer' || (!moves && action !== null) ? 0.38 * share : 0
        const zoom = 1.02 + closer + 0.006 * Math.sin(time * 1.7)
        const [width, height] = [canvas.width * zoom, canvas.height * zoom]
        const left = (canvas.width - width) / 2 + 3 * Math.sin(time * 1.1)
        const top = (canvas.height - height) * 0.4 + 3 * Math.sin(time * 0.83)
        context.drawImage(picture, left, top, width, height)
      }
      draw()
      const timer = setInterval(() => {
        if (stream.active) draw()
        else clearInterval(timer)
      }, 66)
      return stream
    }
  })()
`
