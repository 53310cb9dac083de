/** A check of one dependency that a service requires. */
export type ReadinessProbe = { name: string; check: () => Promise<void> }

/** Runs every probe with a deadline; ready only if all of them pass. */
export async function readiness(
  probes: readonly ReadinessProbe[],
  deadlineMs = 2_000,
): Promise<{ ready: boolean; failing: string[] }> {
  const results = await Promise.all(
    probes.map(async ({ name, check }) => {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error('deadline')), deadlineMs)
      })
      try {
        await Promise.race([check(), late])
        return undefined
      } catch {
        return name
      } finally {
        clearTimeout(timer)
      }
    }),
  )
  const failing = results.filter((name) => name !== undefined)
  return { ready: failing.length === 0, failing }
}
