/** Why there is no camera picture; each has its own help and ways on. */
export type CameraProblem = 'blocked' | 'dismissed' | 'none' | 'busy' | 'unsupported' | 'in_app' | 'stopped'

export type CameraSurroundings = {
  /** `navigator.mediaDevices.getUserMedia` is there; it is missing on insecure pages and in old web views. */
  supported: boolean
  /** What `navigator.permissions` says, where it knows the camera. */
  permission: PermissionState | null
  userAgent: string
}

/** Web views of other apps, which often have no camera: Facebook, Instagram, Line, WeChat, TikTok, Android WebView. */
const inApp = /FBAN|FBAV|Instagram|Line\/|MicroMessenger|musical_ly|BytedanceWebview|; wv\)|GSA\//

/** By the name of what `getUserMedia` threw (null: it could not even be called). */
export function classifyProblem(errorName: string | null, surroundings: CameraSurroundings): CameraProblem {
  const hidden = inApp.test(surroundings.userAgent)
  if (!surroundings.supported) return hidden ? 'in_app' : 'unsupported'
  switch (errorName) {
    case 'NotAllowedError':
    case 'PermissionDeniedError':
      if (hidden) return 'in_app'
      return surroundings.permission === 'prompt' ? 'dismissed' : 'blocked'
    case 'NotFoundError':
    case 'DevicesNotFoundError':
      return 'none'
    case 'NotReadableError':
    case 'TrackStartError':
    case 'AbortError':
      return 'busy'
    case 'SecurityError':
    case 'TypeError':
      return hidden ? 'in_app' : 'unsupported'
    default:
      return 'stopped'
  }
}

/** Where the switch for the camera is found. */
export const platformOf = (userAgent: string): 'ios' | 'android' | 'desktop' =>
  /iPhone|iPad|iPod/.test(userAgent) ? 'ios' : /Android/.test(userAgent) ? 'android' : 'desktop'
