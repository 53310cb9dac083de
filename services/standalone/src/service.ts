export { readConfig, type StandaloneConfig } from './config.ts'
export { type RunningSystem, startSystem } from './system.ts'
