import type { Box, Point } from './image.ts'

/** YuNet's five landmarks. Right and left are from the person's perspective: the right eye is at the image's left. */
export type FaceLandmarks = {
  right_eye: Point
  left_eye: Point
  nose_tip: Point
  right_mouth_corner: Point
  left_mouth_corner: Point
}

/** A face found in an image; box and landmarks in pixels of that image, `score` 0 to 1. */
export type DetectedFace = { box: Box; landmarks: FaceLandmarks; score: number }

/** At or above this score, a detection counts as a face. */
export const FACE_SCORE_COUNTED = 0.6
/** At or above this score, a detection is certain: matching prefers it to larger but less certain ones. */
export const FACE_SCORE_CERTAIN = 0.9

export const landmarkPoints = (landmarks: FaceLandmarks): [Point, Point, Point, Point, Point] => [
  landmarks.right_eye,
  landmarks.left_eye,
  landmarks.nose_tip,
  landmarks.right_mouth_corner,
  landmarks.left_mouth_corner,
]

const mapLandmarks = (landmarks: FaceLandmarks, map: (point: Point) => Point): FaceLandmarks => ({
  right_eye: map(landmarks.right_eye),
  left_eye: map(landmarks.left_eye),
  nose_tip: map(landmarks.nose_tip),
  right_mouth_corner: map(landmarks.right_mouth_corner),
  left_mouth_corner: map(landmarks.left_mouth_corner),
})

/** The same face in an image `factor` times as large. */
export function scaleFace(face: DetectedFace, factor: number): DetectedFace {
  const { box } = face
  return {
    box: { x: box.x * factor, y: box.y * factor, width: box.width * factor, height: box.height * factor },
    landmarks: mapLandmarks(face.landmarks, ({ x, y }) => ({ x: x * factor, y: y * factor })),
    score: face.score,
  }
}
