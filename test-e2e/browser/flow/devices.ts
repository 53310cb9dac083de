/** Scripts that run in a page before its own: features of browsers on real phones that the test browser lacks. */

/** The first request for a camera fails as if another program used it, because a fake device cannot be occupied. */
export const cameraInUseOnce = `{
  const real = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
  let failures = 1
  navigator.mediaDevices.getUserMedia = (constraints) =>
    failures-- > 0 ? Promise.reject(new DOMException('in use', 'NotReadableError')) : real(constraints)
}`

/**
 * A phone's rear camera with a light, a zoom and a second lens. Requests to it are recorded in `window.asked`;
 * `window.lightBroken` makes it reject the light.
 */
export const richCamera = `{
  window.asked = []
  const track = MediaStreamTrack.prototype
  const able = track.getCapabilities
  track.getCapabilities = function () {
    return { ...able.call(this), torch: true, zoom: { min: 1, max: 8, step: 0.5 } }
  }
  track.applyConstraints = async function (constraints) {
    const [set] = constraints.advanced
    if ('torch' in set && window.lightBroken) throw new DOMException('no light', 'OperationError')
    window.asked.push(set)
  }
  const devices = navigator.mediaDevices
  const list = devices.enumerateDevices.bind(devices)
  devices.enumerateDevices = async () => {
    const found = await list()
    const [camera] = found.filter(({ kind }) => kind === 'videoinput')
    return [...found, { kind: 'videoinput', deviceId: 'wide', groupId: '', label: '', toJSON: () => camera }]
  }
  const open = devices.getUserMedia.bind(devices)
  devices.getUserMedia = (constraints) => {
    window.asked.push(constraints.video)
    return open(constraints)
  }
}`

/** As on an insecure page or in an old web view: no access to any camera. */
export const noMediaDevices = `Object.defineProperty(navigator, 'mediaDevices', { value: undefined })`

/**
 * As on a device that saves power: a video starts only on a tap. Requests to the camera are recorded in
 * `window.asked`.
 */
export const playsWhenTapped = `{
  window.asked = []
  const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
  navigator.mediaDevices.getUserMedia = (constraints) => {
    window.asked.push(constraints.video)
    return open(constraints)
  }
  const play = HTMLMediaElement.prototype.play
  HTMLMediaElement.prototype.play = function () {
    return navigator.userActivation.isActive && window.tapped
      ? play.call(this)
      : Promise.reject(new DOMException('low power', 'NotAllowedError'))
  }
}`

/** An older browser, without the features that checking frames in a worker needs. */
export const noWorkerCanvas = `delete window.OffscreenCanvas`

/** Records every track, so that a test can end it like the system does when another app takes the camera. */
export const keepTracks = `{
  window.tracks = []
  const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
  navigator.mediaDevices.getUserMedia = async (constraints) => {
    const stream = await open(constraints)
    window.tracks.push(...stream.getTracks())
    return stream
  }
}`
/** Ends the newest track, from outside. */
export const endTrack = `{
  const track = window.tracks.at(-1)
  track.stop()
  track.dispatchEvent(new Event('ended'))
}`

export const userAgents = {
  iphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
  instagram:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 330.0.0.29.94 (iPhone14,5; iOS 17_5; en_US)',
  androidWebView:
    'Mozilla/5.0 (Linux; Android 14; Pixel 7; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/130.0.0.0 Mobile Safari/537.36',
} as const

/** Records the bytes of the newest picture that the page created, as they would be sent, in `window.made`. */
export const keepPictures = `{
  const toBlob = HTMLCanvasElement.prototype.toBlob
  HTMLCanvasElement.prototype.toBlob = function (done, ...options) {
    toBlob.call(this, async (blob) => {
      window.made = [...new Uint8Array(await blob.arrayBuffer())]
      done(blob)
    }, ...options)
  }
}`
