import { loadModelSession, type ModelSession, type ResolveModel } from './model-session.ts'

/** One model of an engine, loaded at most once. A failed load is retried, because the file may be added later. */
export class LazyModel {
  readonly names: readonly string[]
  readonly #resolve: ResolveModel
  readonly #threads: number
  #session: Promise<ModelSession> | undefined

  /** `names`: names in the manifest, the preferred one first. */
  constructor(names: readonly string[], resolve: ResolveModel, options: { threads: number }) {
    this.names = names
    this.#resolve = resolve
    this.#threads = options.threads
  }

  /** Throws ModelsUnavailableError if no file can be loaded. */
  get(): Promise<ModelSession> {
    this.#session ??= loadModelSession(this.names, this.#resolve, { threads: this.#threads }).catch(
      (error: unknown) => {
        this.#session = undefined
        throw error
      },
    )
    return this.#session
  }

  async release(): Promise<void> {
    const session = this.#session
    this.#session = undefined
    // A failed load has nothing to release.
    await session?.then(
      (loaded) => loaded.release(),
      () => undefined,
    )
  }
}
