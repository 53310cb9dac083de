import type { StepRecord } from './progress.ts'

/** Stores the id and the response of a step's latest upload, so that a retried upload is not evaluated twice. */
export function rememberedUpload<A>(id: string | undefined, answer: A): Record<string, unknown> {
  return id === undefined ? {} : { last_upload: { id, answer } }
}

/** The stored response if this upload was already evaluated, such as before its connection broke; else undefined. */
export function earlierAnswer<A>(record: StepRecord | undefined, id: string | undefined): A | undefined {
  const last = record?.progress.last_upload as { id: string; answer: A } | undefined
  return id !== undefined && last?.id === id ? last.answer : undefined
}
