export * from './fetch.ts'
