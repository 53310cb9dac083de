import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { useApp } from '../app/context.ts'
import { Camera, type CameraState, type CameraUse } from './camera.ts'

export type CameraHandle = {
  state: CameraState
  /** Call it directly in the tap handler. */
  start: () => void
  close: () => void
  camera: Camera | null
}

/** A camera that is closed when its page unmounts. */
export function useCamera(use: CameraUse): CameraHandle {
  const { api } = useApp()
  const [state, setState] = useState<CameraState>({ status: 'closed' })
  const camera = useRef<Camera | null>(null)
  const close = useCallback(() => {
    camera.current?.close()
    camera.current = null
  }, [])
  const start = useCallback(() => {
    camera.current ??= new Camera(use, (next) => {
      setState(next)
      if (next.status !== 'failed' || next.problem === 'stopped') return
      const denied = next.problem === 'blocked' || next.problem === 'dismissed'
      api.event(denied ? 'camera_denied' : 'camera_unavailable')
    })
    void camera.current.start()
  }, [use, api])
  useEffect(() => close, [close])
  return { state, start, close, camera: camera.current }
}
