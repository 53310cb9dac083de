import type { ImageQuality } from '@kyc/common'
import type { MrzDocument } from '../mrz/index.ts'
import type { BarcodeReading, ScannedCode } from './barcode.ts'
import type { PortraitReading } from './portrait.ts'
import type { PrintedLine } from './printed-line.ts'
import type { VisualZone } from './visual-zone.ts'

/** An uncertain character of the MRZ that no check digit confirms. */
export interface DoubtfulCharacter {
  readonly line: number
  readonly position: number
  readonly field: string
  readonly read: string
  /** What the second reader read there; null when only the first is uncertain. */
  readonly second: string | null
}

export interface MrzReading {
  readonly document: MrzDocument
  /** Whether every check digit and date is valid. */
  readonly holds: boolean
  readonly doubtful: readonly DoubtfulCharacter[]
  /** Lowest probability of a character that no check digit confirms, 0 to 1. */
  readonly confidence: number
  /** How many independent readers read the MRZ. */
  readonly readers: 1 | 2
}

/** Everything read from one photo of one side. Personal data. */
export interface SideReading {
  readonly quality: ImageQuality
  /** See `measureScreenPattern`. Absent in readings from before the measure existed. */
  readonly screenPattern?: number | null
  readonly mrz: MrzReading | null
  /** Lines outside the MRZ. */
  readonly lines: readonly PrintedLine[]
  readonly visual: VisualZone
  /** Null: searched and not found. Absent: not searched. */
  readonly portrait?: PortraitReading | null | undefined
  readonly barcode: BarcodeReading | null
}

export interface CapturedSide {
  readonly side: 'front' | 'back'
  readonly capture_method: 'camera' | 'upload'
  readonly reading: SideReading
}

/** A side as the reading threads return it. Its codes are not yet interpreted, because keys stay in the main thread. */
export type ScannedSide = Omit<SideReading, 'barcode'> & { readonly codes: readonly ScannedCode[] }
