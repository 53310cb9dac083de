export * from './compose.ts'
export * from './process.ts'
export * from './service.ts'
export * from './vault.ts'
