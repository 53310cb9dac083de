export { buildIndex, buildIndexInSteps, type ScreeningIndex } from './build.ts'
export { screen } from './screen.ts'
export type { Match, ScreeningOptions, ScreeningQuery } from './types.ts'
