import { type CameraProblem, classifyProblem } from './camera-problem.ts'

export type CameraUse = 'document' | 'face'
export type CameraState =
  | { status: 'starting' }
  | { status: 'live'; stream: MediaStream; controls: CameraControls }
  | { status: 'failed'; problem: CameraProblem }
  | { status: 'closed' }

/** Optional controls of the open camera. */
export type CameraControls = {
  torch: boolean
  zoom: { min: number; max: number; step: number } | null
  cameras: number
}

/** Capabilities that browsers support but TypeScript's DOM types lack. */
type MoreCapabilities = MediaTrackCapabilities & {
  torch?: boolean
  zoom?: { min: number; max: number; step?: number }
}
type MoreConstraints = MediaTrackConstraintSet & { torch?: boolean; zoom?: number }

/** A track muted for this long counts as lost; on iOS the track is often muted for the first second. */
const mutedMs = 2_000

/** Two sizes that every recent phone supports. Never `exact`, and no height on iOS, where it causes overexposure. */
function constraintsOf(use: CameraUse, deviceId: string | null): MediaStreamConstraints {
  const ios = /iPhone|iPad|iPod/.test(navigator.userAgent)
  const size =
    use === 'document'
      ? { width: { ideal: 1920 }, ...(ios ? {} : { height: { ideal: 1080 } }) }
      : { width: { ideal: 1280 }, ...(ios ? {} : { height: { ideal: 720 } }) }
  const facing = use === 'document' ? 'environment' : 'user'
  return {
    audio: false,
    video: deviceId ? { ...size, deviceId: { ideal: deviceId } } : { ...size, facingMode: { ideal: facing } },
  }
}

async function permission(): Promise<PermissionState | null> {
  try {
    return (await navigator.permissions.query({ name: 'camera' as PermissionName })).state
  } catch {
    return null
  }
}

/**
 * The sole owner of the only stream, because browsers end an older stream when a new one is requested. Call `start`
 * directly in the tap handler, because some browsers reject a camera request made later.
 */
export class Camera {
  state: CameraState = { status: 'closed' }
  readonly use: CameraUse
  readonly #changed: (state: CameraState) => void
  #generation = 0
  #devices: string[] = []
  #device: string | null = null
  #restarted = false
  #mute: ReturnType<typeof setTimeout> | undefined

  constructor(use: CameraUse, changed: (state: CameraState) => void) {
    this.use = use
    this.#changed = changed
    document.addEventListener('visibilitychange', this.#revive)
    addEventListener('pageshow', this.#revive)
  }

  async start(): Promise<void> {
    const generation = ++this.#generation
    this.#stopTracks()
    this.#set({ status: 'starting' })
    const supported = typeof navigator.mediaDevices?.getUserMedia === 'function'
    try {
      if (!supported) return await this.#fail(null, false, generation)
      const stream = await this.#open()
      if (generation !== this.#generation) {
        for (const track of stream.getTracks()) track.stop()
        return
      }
      await this.#adopt(stream)
    } catch (error) {
      await this.#fail((error as DOMException).name, supported, generation)
    }
  }

  async #open(): Promise<MediaStream> {
    try {
      return await navigator.mediaDevices.getUserMedia(constraintsOf(this.use, this.#device))
    } catch (error) {
      if ((error as DOMException).name !== 'OverconstrainedError') throw error
      return navigator.mediaDevices.getUserMedia({ video: true, audio: false })
    }
  }

  async #adopt(stream: MediaStream): Promise<void> {
    const track = stream.getVideoTracks()[0]
    track?.addEventListener('ended', () => this.#lost(stream))
    track?.addEventListener('mute', () => {
      this.#mute = setTimeout(() => this.#lost(stream), mutedMs)
    })
    track?.addEventListener('unmute', () => clearTimeout(this.#mute))
    const devices = await navigator.mediaDevices.enumerateDevices().catch(() => [])
    this.#devices = devices.filter(({ kind }) => kind === 'videoinput').map(({ deviceId }) => deviceId)
    this.#device ??= track?.getSettings().deviceId ?? null
    const able = (track?.getCapabilities?.() ?? {}) as MoreCapabilities
    const zoom = able.zoom && able.zoom.max > able.zoom.min ? { step: 0.1, ...able.zoom } : null
    const controls = { torch: able.torch === true, zoom, cameras: this.#devices.length }
    this.#set({ status: 'live', stream, controls })
  }

  async #fail(errorName: string | null, supported: boolean, generation: number): Promise<void> {
    const surroundings = { supported, permission: await permission(), userAgent: navigator.userAgent }
    if (generation !== this.#generation) return
    this.#set({ status: 'failed', problem: classifyProblem(errorName, surroundings) })
  }

  /** Restarts automatically once, then only on request; if the camera stops again, another program is using it. */
  #lost(stream: MediaStream): void {
    if (this.state.status !== 'live' || this.state.stream !== stream) return
    if (!this.#restarted && !document.hidden) {
      this.#restarted = true
      void this.start()
      return
    }
    this.#stopTracks()
    this.#set({ status: 'failed', problem: 'stopped' })
  }

  /** After a screen lock or app switch, the track may have ended without an event. */
  #revive = (): void => {
    if (document.hidden || this.state.status !== 'live') return
    const track = this.state.stream.getVideoTracks()[0]
    if (track?.readyState === 'ended' || track?.muted) this.#lost(this.state.stream)
  }

  /** Switches to the next camera of the device. */
  switch(): void {
    const next = (this.#devices.indexOf(this.#device ?? '') + 1) % Math.max(1, this.#devices.length)
    this.#device = this.#devices[next] ?? null
    void this.start()
  }

  async setTorch(on: boolean): Promise<boolean> {
    return this.#apply({ torch: on })
  }

  async setZoom(zoom: number): Promise<boolean> {
    return this.#apply({ zoom })
  }

  async #apply(set: MoreConstraints): Promise<boolean> {
    if (this.state.status !== 'live') return false
    try {
      await this.state.stream.getVideoTracks()[0]?.applyConstraints({ advanced: [set] })
      return true
    } catch {
      return false
    }
  }

  /** Ends the stream, which also turns off the camera's indicator light. */
  close(): void {
    this.#generation++
    this.#stopTracks()
    document.removeEventListener('visibilitychange', this.#revive)
    removeEventListener('pageshow', this.#revive)
    this.#set({ status: 'closed' })
  }

  #stopTracks(): void {
    clearTimeout(this.#mute)
    if (this.state.status === 'live') for (const track of this.state.stream.getTracks()) track.stop()
  }

  #set(state: CameraState): void {
    this.state = state
    this.#changed(state)
  }
}
