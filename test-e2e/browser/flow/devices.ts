/** Scripts for a page, before anything of it: what the browsers of real phones have and the one of the tests has not. */

/** The first request for a camera fails as if another program held it: a fake device cannot be taken away. */
export const cameraInUseOnce = `{
  const real = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
  let failures = 1
  navigator.mediaDevices.getUserMedia = (constraints) =>
    failures-- > 0 ? Promise.reject(new DOMException('in use', 'NotReadableError')) : real(constraints)
}`

/**
 * A phone's rear camera: a light, a zoom and a second lens. What is asked of it is kept in \`window.asked\`;
 * \`window.lightBroken\` makes it refuse the light.
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

/** As on an insecure page or in an old web view: no way to any camera. */
export const noMediaDevices = `Object.defineProperty(navigator, 'mediaDevices', { value: undefined })`

/** As where power is saved: a video starts only when it is tapped. What is asked of the camera is in \`window.asked\`. */
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

/** An older browser, without what the check of frames in a worker wants. */
export const noWorkerCanvas = `delete window.OffscreenCanvas`

/** Keeps every track, so that a test can end it as the system does when another app takes the camera. */
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

/** Keeps the bytes of the newest picture that the page made, as they would be sent, in `window.made`. */
export const keepPictures = `{
  const toBlob = HTMLCanvasElement.prototype.toBlob
  HTMLCanvasElement.prototype.toBlob = function (done, ...options) {
    toBlob.call(this, async (blob) => {
      window.made = [...new Uint8Array(await blob.arrayBuffer())]
      done(blob)
    }, ...options)
  }
}`
