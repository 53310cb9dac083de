export * from './clock.ts'
export * from './database/sql.ts'
export * from './logger.ts'
