import { describe, expect, test } from '@jest/globals'
import { type DocumentType, defaultWorkflowConfig } from '@kyc/common'
import { scenarioReading } from '../test-scenario.ts'
import { asksForBack, captureIssues } from './accept-capture.ts'
import type { SideReading } from './side-reading.ts'

const today = new Date('2026-01-31T12:00:00Z')
const good = scenarioReading('approved', 'ses_1', today)
const line = { text: 'REPUBLIC', confidence: 0.9, left: 0, right: 9, top: 0, bottom: 9 }
const noZone: SideReading = { ...good, mrz: null, lines: [line] }

const ask = (reading: SideReading, type: DocumentType, side: 'front' | 'back' = 'front') => {
  const capture = { side, capture_method: 'camera', reading } as const
  const config = defaultWorkflowConfig().steps.document
  const input = { sides: [capture], declaredType: type, declaredCountry: null, config, today }
  return { codes: captureIssues(capture, input).map(({ code }) => code), back: asksForBack(input) }
}

describe('captureIssues', () => {
  test('accepts a photo whose MRZ check digits are valid, however blurred it is', () => {
    expect(ask(good, 'passport')).toEqual({ codes: [], back: false })
    expect(ask({ ...good, quality: { ...good.quality, sharpness: 0.01 } }, 'passport').codes).toEqual([])
  })

  test('reports image quality issues before unreadable content', () => {
    const quality = { ...good.quality, brightness: 0.05, sharpness: 0.1 }
    expect(ask({ ...noZone, quality }, 'passport').codes).toEqual([
      'image_dark',
      'image_blurry',
      'mrz_not_found',
    ])
  })

  test('requires the MRZ on the front of a passport, and on one of the two sides of a card', () => {
    expect(ask(noZone, 'passport').codes).toEqual(['mrz_not_found'])
    expect(ask(noZone, 'identity_card')).toEqual({ codes: [], back: true })
    expect(ask(noZone, 'identity_card', 'back').codes).toEqual(['mrz_not_found'])
    expect(ask(noZone, 'driving_licence', 'back').codes).toEqual([])
  })

  test('requests another photo when check digits fail, the name is uncertain, or there is no document', () => {
    expect(ask({ ...good, mrz: { ...good.mrz!, holds: false } }, 'passport').codes).toEqual([
      'mrz_checksum_failed',
    ])
    const doubtful = [{ line: 0, position: 6, field: 'name', read: 'E', second: 'F' }]
    expect(ask({ ...good, visual: {}, mrz: { ...good.mrz!, doubtful } }, 'passport').codes).toEqual([
      'field_missing',
    ])
    expect(ask({ ...noZone, lines: [] }, 'passport').codes).toEqual(['document_not_found'])
  })
})
