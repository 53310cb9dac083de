/** Polls until the result matches; throws with the last result when the deadline has passed. */
export async function until<T>(
  ask: () => Promise<T>,
  fits: (answer: T) => boolean,
  deadlineMs = 30_000,
): Promise<T> {
  const deadline = Date.now() + deadlineMs
  for (;;) {
    const answer = await ask()
    if (fits(answer)) return answer
    if (Date.now() > deadline)
      throw new Error(`it did not come to be: ${JSON.stringify(answer)?.slice(0, 500)}`)
    await new Promise((resume) => setTimeout(resume, 50))
  }
}
