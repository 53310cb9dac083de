import type { ImageQuality } from '@kyc/common'
import type { MrzDocument } from '../mrz/index.ts'
import type { BarcodeReading, ScannedCode } from './barcode.ts'
import type { PortraitReading } from './portrait.ts'
import type { PrintedLine } from './printed-line.ts'
import type { VisualZone } from './visual-zone.ts'

/** A character of the machine-readable zone that no check digit proves and that is not certain. */
export interface DoubtfulCharacter {
  readonly line: number
  readonly position: number
  readonly field: string
  readonly read: string
  /** What the second reader has there; null when the first alone is unsure. */
  readonly second: string | null
}

export interface MrzReading {
  readonly document: MrzDocument
  /** Whether every check digit and date holds. */
  readonly holds: boolean
  readonly doubtful: readonly DoubtfulCharacter[]
  /** Lowest probability of a character that no check digit proves, 0 to 1. */
  readonly confidence: number
  /** How many independent readers were at work. */
  readonly readers: 1 | 2
}

/** All that one photo of one side says. Personal. */
export interface SideReading {
  readonly quality: ImageQuality
  /** See `measureScreenPattern`. Absent in what was read before it was measured. */
  readonly screenPattern?: number | null
  readonly mrz: MrzReading | null
  /** Lines outside the machine-readable zone. */
  readonly lines: readonly PrintedLine[]
  readonly visual: VisualZone
  /** Null: looked for and not found. Absent: not looked for. */
  readonly portrait?: PortraitReading | null | undefined
  readonly barcode: BarcodeReading | null
}

export interface CapturedSide {
  readonly side: 'front' | 'back'
  readonly capture_method: 'camera' | 'upload'
  readonly reading: SideReading
}

/** A side as the reading threads give it: its codes are not yet interpreted, because keys stay in the main thread. */
export type ScannedSide = Omit<SideReading, 'barcode'> & { readonly codes: readonly ScannedCode[] }
