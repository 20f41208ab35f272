import { createLiveTrees, type LiveTrees } from '../../system/process/launcher/live-trees.ts'
import { createMark } from '../../system/process/trees/marks.ts'

/** Calls `act`. Then ends all programs that `act` started, even if `act` failed or was interrupted. */
export async function withLiveTrees<Result>(
  act: (run: { readonly trees: LiveTrees; readonly runMark: string }) => Promise<Result>,
): Promise<Result> {
  const runMark = createMark()
  const trees = createLiveTrees(runMark)
  const endNow = (): void => trees.endAllNow()
  process.on('exit', endNow)
  // Start the launcher early, because the start takes a while. If it fails, the first program reports the error.
  trees.launcher().catch(() => undefined)
  try {
    return await act({ trees, runMark })
  } finally {
    await trees.close()
    process.off('exit', endNow)
  }
}
