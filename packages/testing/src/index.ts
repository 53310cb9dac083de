export * from './clock.ts'
export * from './database.ts'
export * from './service.ts'
export * from './shared-data.ts'
