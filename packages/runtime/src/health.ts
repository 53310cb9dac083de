/** One thing a service cannot work without. */
export type ReadinessProbe = { name: string; check: () => Promise<void> }

/** Asks every probe, each with a deadline; readiness tells the truth about all of them. */
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
