/** A required model has no usable file; `models` are the names in the manifest that would be accepted. */
export class ModelsUnavailableError extends Error {
  override readonly name = 'ModelsUnavailableError'
  readonly models: readonly string[]

  constructor(models: readonly string[], cause?: unknown) {
    super(`The face models are unavailable: none of ${models.join(', ')} could be loaded.`, { cause })
    this.models = models
  }
}
