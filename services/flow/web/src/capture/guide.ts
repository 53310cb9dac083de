/** A rectangle in the units of the picture it lies in. */
export type Rect = { x: number; y: number; width: number; height: number }

/** Width by height: ID-1 cards, and the data page of a passport (ID-3). */
export const cardAspect = 85.6 / 53.98
export const pageAspect = 125 / 88

/** The largest rectangle of `aspect` in the middle of a picture that leaves a margin to hold the thing into. */
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

/** The oval for a face, by the rectangle around it: 3 wide to 4 high. */
export const ovalIn = (width: number, height: number): Rect => {
  const ovalHeight = Math.min(height * 0.76, (width * 0.72 * 4) / 3)
  const ovalWidth = (ovalHeight * 3) / 4
  return { x: (width - ovalWidth) / 2, y: (height - ovalHeight) / 2, width: ovalWidth, height: ovalHeight }
}
