import { removeTemporary } from '../../system/files/write-file.ts'
import type { LiveTrees } from '../../system/process/launcher/live-trees.ts'

/** Cleanup functions for one agent's resources. Add each function as soon as its resource exists. */
export class Releases {
  readonly #releases: (() => void)[] = []

  add(release: () => void): void {
    this.#releases.push(release)
  }

  makeFolder(processes: LiveTrees, kind: 'makeTempDir' | 'makeBrowserDir' = 'makeTempDir'): string {
    const folder = processes[kind]()
    this.add(() => removeTemporary(folder))
    return folder
  }

  /** Runs all cleanup functions in reverse order, even if one fails. @throws the last error */
  releaseAll(): void {
    const release = this.#releases.pop()
    if (release === undefined) return
    try {
      release()
    } finally {
      this.releaseAll()
    }
  }
}
