export { type PanHolderType, type PanIssueCode, type PanValidation, validatePan } from './validate-pan.ts'
