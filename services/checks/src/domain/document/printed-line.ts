/** One printed line on an upright page. Units are pixels of the page; only their proportions matter. */
export interface PrintedLine {
  readonly text: string
  /** Mean probability of its characters, 0 to 1. */
  readonly confidence: number
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

export const heightOf = (line: PrintedLine) => line.bottom - line.top
export const middleOf = (line: PrintedLine) => (line.top + line.bottom) / 2
