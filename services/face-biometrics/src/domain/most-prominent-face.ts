import type { DetectedFace } from './face.ts'
import { FACE_SCORE_CERTAIN } from './face.ts'

const area = ({ box }: DetectedFace) => box.width * box.height

const largest = (faces: readonly DetectedFace[]): DetectedFace | null =>
  faces.reduce<DetectedFace | null>(
    (best, face) => (best === null || area(face) > area(best) ? face : best),
    null,
  )

/**
 * The main face of an image: the largest certain one, else the largest of all; null without faces.
 * Size decides among certain faces, so that a sharp bystander never replaces the person in front.
 */
export function mostProminentFace(faces: readonly DetectedFace[]): DetectedFace | null {
  return largest(faces.filter(({ score }) => score >= FACE_SCORE_CERTAIN)) ?? largest(faces)
}
