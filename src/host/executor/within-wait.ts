/** Waits for the end of something, at most so many milliseconds. */
export async function withinWait(ended: Promise<unknown>, maxWaitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, maxWaitMs)
  })
  await Promise.race([ended, late])
  clearTimeout(timer)
}
