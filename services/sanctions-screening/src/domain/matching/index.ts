export { buildIndex, buildIndexInSteps, type ScreeningIndex } from './build.ts'
export { screen } from './screen.ts'
export type {
  Adjustment,
  AdjustmentCode,
  Match,
  MatchExplanation,
  MatchedNameType,
  ScreeningOptions,
  ScreeningQuery,
  TokenExplanation,
} from './types.ts'
