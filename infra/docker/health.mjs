// The container's health check: does this process respond on its port? Liveness only; readiness is on the metrics port.
const port = process.env.PORT ?? '8080'
const alive = await fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(3_000) }).then(
  (answer) => answer.ok,
  () => false,
)
process.exitCode = alive ? 0 : 1
