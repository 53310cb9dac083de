export * from './errors.ts'
export * from './messages/define.ts'
