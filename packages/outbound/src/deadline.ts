/** Aborts after `timeoutMs`, at any stage of the work. `clear` must be called when the work ends. */
export function startDeadline(timeoutMs: number): { signal: AbortSignal; expired(): boolean; clear(): void } {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new Error('The deadline has passed.')), timeoutMs)
  return {
    signal: controller.signal,
    expired: () => controller.signal.aborted,
    clear: () => clearTimeout(timer),
  }
}
