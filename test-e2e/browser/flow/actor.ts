import { createModelStore, silentLogger } from '@kyc/runtime'
import { FaceEngine } from '@kyc/service-face-biometrics'
import { modelsDir } from '@kyc/testing'
import sharp from 'sharp'
import { type Landmarks, type Point, type Pose, turnHead } from './head.ts'

/** Movements of the head; coming closer is one of the camera's distance and needs no picture of its own. */
const poses = {
  turn_left: { yaw: 30, pitch: 0 },
  turn_right: { yaw: -30, pitch: 0 },
  look_up: { yaw: 0, pitch: 36 },
} as const satisfies Record<string, Pose>

/** Pictures of one movement, between looking straight and its end. */
const stages = 4

/** What a person can show the camera: JPEGs in base64, of each movement its stages. */
export type Performance = { straight: string } & Record<keyof typeof poses, string[]>

/** What a camera would see of the person in the photograph, straight and while the head moves. */
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

/** Room around the person, so that there is some left after coming closer: what is at the edges, mirrored. */
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

/** What is announced when a movement is asked for, and the word for one that was done. */
export type Cues = Record<'turn_left' | 'turn_right' | 'look_up' | 'come_closer' | 'done', string>

/**
 * For the page, before anything of it: the front camera shows a person who does what the page says aloud, as one
 * who cannot see the screen would, and never holds quite still. `moves` false: a photograph held before the camera,
 * which is moved about and brought closer, and cannot do more. Other cameras stay as they are.
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
