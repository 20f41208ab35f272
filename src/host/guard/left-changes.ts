import { lstatSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { groundAt, type Ground } from '../../system/files/ground.ts'
import { readFileIn } from '../../system/files/read-file.ts'
import { removeIn } from '../../system/files/remove.ts'
import { makeFolder, replaceFile } from '../../system/files/write-file.ts'
import { readContent, readStamp } from './file-state.ts'
import { askGit } from './list-git-files.ts'
import { hashBytes } from './hash-file.ts'

const leftChange = z.object({
  /** Relative to the root, with slashes; absolute outside of it. */
  file: z.string(),
  /** Absolute path. */
  path: z.string(),
  /** The scenario whose agent did it. */
  by: z.string(),
  /** Whether it is a spec or included by one: then only its own scenarios rest on it. */
  isSpec: z.boolean(),
  /** Mode and hash of what the agent left. */
  left: z.string(),
  /** Times and inode of what the agent left. A user who saves the file again accepts the change. */
  stamp: z.string(),
  /** What the last commit had then; `''` for nothing. */
  committed: z.string(),
})

/** A guarded file that an agent changed and that is still as the agent left it. */
export type LeftChange = z.infer<typeof leftChange>

const record = z.object({ version: z.literal(1), changes: z.array(leftChange) })

const maxBytes = 16 * 1024 * 1024

/** A scenario with an agent at work: it may be the one that made a change. */
export interface ScenarioAtWork {
  /** Spec and title, for people. */
  readonly by: string
  /** Front matter `writes`. */
  readonly writes: readonly string[]
  /** Absolute paths of the spec and of what it includes. */
  readonly spec: readonly string[]
}

/**
 * Changes by agents that nobody has undone or accepted since. mdtest tests nothing on them, in this run and in later
 * ones. The list is in `node_modules/.cache/vitest-mdtest/` of the root while there is any.
 */
export class LeftChanges {
  readonly #atWork = new Set<ScenarioAtWork>()
  readonly #env: NodeJS.ProcessEnv
  /** The folder of packages: it may be a link. */
  readonly #packages: Ground
  readonly #file: string
  readonly #changes = new Map<string, LeftChange>()
  #opened: Promise<void> | undefined
  #written = ''

  /** @param root absolute path of the suite root */
  constructor(root: string, env: NodeJS.ProcessEnv) {
    this.#env = env
    const { packages, file } = leftChangesFile(root)
    this.#packages = groundAt(packages)
    this.#file = file
  }

  /** Scenarios whose agents are at work. A change that one of them may make cannot be blamed on another. */
  get atWork(): readonly ScenarioAtWork[] {
    return [...this.#atWork]
  }

  /** The agent of a scenario is about to begin. */
  begin(scenario: ScenarioAtWork): void {
    this.#atWork.add(scenario)
  }

  /** The agent has ended. May be called twice. */
  end(scenario: ScenarioAtWork): void {
    this.#atWork.delete(scenario)
  }

  /**
   * Changes that are still there. Forgets those that were undone or replaced.
   *
   * @param spec absolute paths of the spec to run and of its includes; no other specs are listed
   */
  async list(spec: readonly string[]): Promise<readonly LeftChange[]> {
    await this.#open()
    for (const change of this.#changes.values()) {
      if ((await stateOf(change.path)).left !== change.left) this.#changes.delete(change.path)
    }
    this.#write()
    return [...this.#changes.values()].filter(({ isSpec, path }) => !isSpec || spec.includes(path))
  }

  /** Whether a spec is still as an agent left it. The scenario of that agent has failed for it. */
  async isKnownSpec(path: string): Promise<boolean> {
    const change = this.#changes.get(path)
    return change?.isSpec === true && (await stateOf(path)).left === change.left
  }

  /** Adds changes of an agent. Refreshes the others, too: the agent may have saved those files again. */
  async add(files: readonly Pick<LeftChange, 'file' | 'path' | 'isSpec'>[], by: string): Promise<void> {
    await this.#open()
    for (const file of files) {
      this.#changes.set(file.path, { ...file, by, committed: '', ...(await stateOf(file.path)) })
    }
    for (const change of this.#changes.values()) {
      const { left, stamp } = await stateOf(change.path)
      if (left !== change.left) continue
      this.#changes.set(change.path, { ...change, stamp, committed: await this.#committed(change.path) })
    }
    this.#write()
  }

  /** Another run begins, without an agent at work. Forgets what the user saved again or committed. */
  beginRun(): void {
    const open = this.#opened ?? Promise.resolve()
    if (this.#opened) this.#opened = open.then(() => this.#forgetAccepted())
  }

  #open(): Promise<void> {
    return (this.#opened ??= this.#read())
  }

  async #read(): Promise<void> {
    const reading = readFileIn(this.#packages, this.#file, maxBytes)
    if (!reading.ok) return
    this.#written = reading.bytes.toString('utf8')
    for (const change of parse(this.#written)) this.#changes.set(change.path, change)
    await this.#forgetAccepted()
  }

  async #forgetAccepted(): Promise<void> {
    for (const change of this.#changes.values()) {
      const isSame = (await stateOf(change.path)).stamp === change.stamp
      if (!isSame || (await this.#committed(change.path)) !== change.committed) this.#changes.delete(change.path)
    }
  }

  async #committed(path: string): Promise<string> {
    const folder = dirname(path)
    const there = lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
    const tree = there ? askGit(['ls-tree', 'HEAD', '--', path], { folder, env: this.#env }) : undefined
    return (await tree?.catch(() => '')) ?? ''
  }

  /** Never rejects: the step that shows the change has failed already. */
  #write(): void {
    const changes = [...this.#changes.values()]
    const text = changes.length === 0 ? '' : `${JSON.stringify({ version: 1, changes }, null, 2)}\n`
    if (text === this.#written) return
    this.#written = text
    try {
      if (text === '') return removeIn(this.#packages, this.#file)
      makeFolder(this.#packages, dirname(this.#file))
      replaceFile(this.#packages, this.#file, text)
    } catch {
      // The folder cannot be written: the next run will not know of this change.
    }
  }
}

async function stateOf(path: string): Promise<Pick<LeftChange, 'left' | 'stamp'>> {
  const { stamp, mode } = readStamp(path)
  return { left: `${mode} ${(await readContent(path, mode)) ?? stamp}`, stamp }
}

function parse(text: string): readonly LeftChange[] {
  try {
    return record.parse(JSON.parse(text)).changes
  } catch {
    // Of another version, or no such list.
    return []
  }
}

/** The file that lists what agents left changed in a root (absolute path). */
export function leftChangesFile(root: string): { readonly packages: string; readonly file: string } {
  const packages = join(root, 'node_modules')
  // Two roots may share one folder of packages by a link.
  const name = `changed-by-agents-${hashBytes(root).slice(0, 12)}.json`
  return { packages, file: join(packages, '.cache', 'vitest-mdtest', name) }
}
