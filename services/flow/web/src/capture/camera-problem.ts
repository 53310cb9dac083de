/** Why there is no camera picture; each reason has its own help and alternatives. */
export type CameraProblem = 'blocked' | 'dismissed' | 'none' | 'busy' | 'unsupported' | 'in_app' | 'stopped'

export type CameraSurroundings = {
  /** `navigator.mediaDevices.getUserMedia` exists; it is missing on insecure pages and in old web views. */
  supported: boolean
  /** The camera permission from `navigator.permissions`; null if the browser cannot query it. */
  permission: PermissionState | null
  userAgent: string
}

/** Web views of other apps, which often have no camera: Facebook, Instagram, Line, WeChat, TikTok, Android WebView. */
const inApp = /FBAN|FBAV|Instagram|Line\/|MicroMessenger|musical_ly|BytedanceWebview|; wv\)|GSA\//

/** Classifies by the name of the error that `getUserMedia` threw; null if it could not be called. */
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

/** The platform, which determines where the camera permission is set. */
export const platformOf = (userAgent: string): 'ios' | 'android' | 'desktop' =>
  /iPhone|iPad|iPod/.test(userAgent) ? 'ios' : /Android/.test(userAgent) ? 'android' : 'desktop'
