import type { StepRecord } from './progress.ts'

/** What is kept of the newest upload of a step: its id and its answer, so that a repeated one is not judged twice. */
export function rememberedUpload<A>(id: string | undefined, answer: A): Record<string, unknown> {
  return id === undefined ? {} : { last_upload: { id, answer } }
}

/** The answer that the same upload got before, when its connection broke; undefined for a new one. */
export function earlierAnswer<A>(record: StepRecord | undefined, id: string | undefined): A | undefined {
  const last = record?.progress.last_upload as { id: string; answer: A } | undefined
  return id !== undefined && last?.id === id ? last.answer : undefined
}
