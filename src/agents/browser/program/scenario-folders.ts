import { symlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { groundAt, type Ground } from '../../../system/files/ground.ts'
import { makeFolder } from '../../../system/files/write-file.ts'

interface Place {
  /** Files below it can be uploaded. */
  readonly cwd: string
  /** For screenshots and downloads. */
  readonly evidenceDir: string
}

/**
 * The folders of a scenario, for a browser that may be older than the scenario: Playwright's server knows links in the
 * browser's home, which lead nowhere before. All paths are absolute.
 */
export class ScenarioFolders {
  /** What the server takes for its workspace. */
  readonly workspaceLink: string
  /** What it takes for its output. */
  readonly evidenceLink: string
  #place: (Place & { readonly ground: Ground }) | undefined

  /** @param home private folder of the browser */
  constructor(home: string) {
    this.workspaceLink = join(home, 'workspace')
    this.evidenceLink = join(home, 'evidence')
  }

  /** Makes the links lead to a scenario. Once. */
  lead({ cwd, evidenceDir }: Place): void {
    const ground = groundAt(join(evidenceDir, '../..'))
    makeFolder(ground, evidenceDir)
    symlinkSync(cwd, this.workspaceLink)
    symlinkSync(evidenceDir, this.evidenceLink)
    this.#place = { cwd, evidenceDir, ground }
  }

  /** A file among the evidence, and the ground that it is on. */
  evidence(name: string): { readonly ground: Ground; readonly file: string } {
    const { ground, evidenceDir } = this.#ofScenario
    return { ground, file: join(evidenceDir, name) }
  }

  /** What the server says, with the folders that are meant: evidence as it is seen from the workspace. */
  named(text: string): string {
    if (this.#place === undefined) return text
    const { cwd, evidenceDir } = this.#place
    return text.replaceAll(this.evidenceLink, relative(cwd, evidenceDir)).replaceAll(this.workspaceLink, cwd)
  }

  get #ofScenario(): Place & { readonly ground: Ground } {
    if (this.#place === undefined) throw new Error('a browser without a scenario keeps nothing')
    return this.#place
  }
}
