/** No usable file of a model that the operation needs; `models` are the manifest's names that would do. */
export class ModelsUnavailableError extends Error {
  override readonly name = 'ModelsUnavailableError'
  readonly models: readonly string[]

  constructor(models: readonly string[], cause?: unknown) {
    super(`The face models are unavailable: none of ${models.join(', ')} could be loaded.`, { cause })
    this.models = models
  }
}
