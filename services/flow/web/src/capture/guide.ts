/** A rectangle in pixels of its picture. */
export type Rect = { x: number; y: number; width: number; height: number }

/** Width by height: ID-1 cards, and the data page of a passport (ID-3). */
export const cardAspect = 85.6 / 53.98
export const pageAspect = 125 / 88

/** The largest centred rectangle of `aspect` that leaves a margin for positioning the document. */
export function guideIn(width: number, height: number, aspect: number): Rect {
  const guideWidth = Math.min(width * 0.9, height * 0.84 * aspect)
  const guideHeight = guideWidth / aspect
  return {
    x: (width - guideWidth) / 2,
    y: (height - guideHeight) / 2,
    width: guideWidth,
    height: guideHeight,
  }
}

/** The bounding box of the oval for a face, with an aspect of 3:4. */
export const ovalIn = (width: number, height: number): Rect => {
  const ovalHeight = Math.min(height * 0.76, (width * 0.72 * 4) / 3)
  const ovalWidth = (ovalHeight * 3) / 4
  return { x: (width - ovalWidth) / 2, y: (height - ovalHeight) / 2, width: ovalWidth, height: ovalHeight }
}
