import { readFile, realpath } from 'node:fs/promises'
import { findForeignLine, type Rewrite, rewriteSource } from '../../blocks/expected-output/rewrite-markdown.ts'
import { hashBytes } from '../guard/file-state.ts'
import type { OwnWrites } from '../guard/source-watch.ts'
import type { FileRewrites, UpdateMode, UpdateRefusal } from '../protocol/protocol.ts'
import { describeUnwritable, refusals, rewriteOwn } from './update-refusals.ts'
import { isRecordingFile } from '../../spec/recording/recording.ts'

export interface OutputUpdates {
  mode(): UpdateMode
  findProblem(specFile: string, texts: ReadonlyMap<string, string>): Promise<string | undefined>
  onRewritten(file: string, counts: { readonly added: number; readonly updated: number }): void
}

export const noUpdates: OutputUpdates = { mode: () => 'off', findProblem: async () => undefined, onRewritten() {} }

interface WrittenFile {
  readonly base: string
  readonly rewrites: readonly Rewrite[]
  readonly text: string
}

interface PreparedFile extends WrittenFile {
  /** Absolute path without links. Writing to `file` would replace a link. */
  readonly target: string
  readonly file: string
  readonly added: readonly Rewrite[]
}

export class OutputRewriter {
  readonly #updates: OutputUpdates
  readonly #ownWrites: OwnWrites
  #queue: Promise<unknown> = Promise.resolve()
  #written = new Map<string, WrittenFile>()
  #writtenBefore = new Map<string, WrittenFile>()

  constructor(updates: OutputUpdates, ownWrites: OwnWrites) {
    this.#updates = updates
    this.#ownWrites = ownWrites
  }

  beginRun(): void {
    this.#writtenBefore = this.#written
    this.#written = new Map()
  }

  rewrite(specFile: string, files: readonly FileRewrites[]): Promise<readonly UpdateRefusal[]> {
    const rewritten = this.#queue.then(() => this.#rewrite(specFile, files))
    this.#queue = rewritten.catch(() => {})
    return rewritten
  }

  async #rewrite(specFile: string, files: readonly FileRewrites[]): Promise<readonly UpdateRefusal[]> {
    const prepared: PreparedFile[] = []
    for (const file of files) {
      const result = await this.#prepare(file)
      if ('message' in result) return [result]
      if (result.added.length > 0) prepared.push(result)
    }
    const texts = new Map(prepared.map(({ file, text }) => [file, text]))
    const [first] = prepared
    const problem = first && (await this.#updates.findProblem(specFile, texts))
    if (first && problem !== undefined) return [refusal(first, refusals.problem(problem))]
    for (const file of prepared) {
      const failure = await this.#write(file)
      if (failure) return [failure]
    }
    return []
  }

  async #prepare(request: FileRewrites): Promise<PreparedFile | UpdateRefusal> {
    const { file } = request
    const unwritable = describeUnwritable(file)
    if (unwritable !== undefined) return refusal(request, unwritable)
    const target = await realpath(file)
    const text = (await readFile(target)).toString('utf8')
    const earlier = this.#written.get(target)
    if (hashBytes(text) === request.hash) {
      // mdtest itself wrote this text. In a watch, it must not rewrite it again and again.
      const before = this.#updates.mode() === 'always' ? this.#writtenBefore.get(target) : undefined
      if (earlier?.text === text || before?.text === text) return refusal(request, refusals.repeated)
      return merge(request, { base: text, target, rewrites: [] })
    }
    const isOurs = earlier?.text === text && hashBytes(earlier.base) === request.hash
    return isOurs ? merge(request, { ...earlier, target }) : refusal(request, refusals.changed)
  }

  async #write({ target, file, base, rewrites, added, text }: PreparedFile): Promise<UpdateRefusal | undefined> {
    this.#ownWrites.add(file, text)
    const failure = rewriteOwn(target, text, this.#ownWrites)
    if (failure !== undefined) return refusal({ file, rewrites: added }, failure)
    this.#written.set(target, { base, rewrites, text })
    const filled = added.filter(({ before }) => before.length === 0).length
    this.#updates.onRewritten(file, { added: filled, updated: added.length - filled })
    return undefined
  }
}

function refusal(
  { file, rewrites }: Pick<FileRewrites, 'file' | 'rewrites'>,
  message: string,
  line = rewrites[0]?.line ?? 1,
): UpdateRefusal {
  return { file, line, message }
}

async function merge(
  { file, rewrites }: FileRewrites,
  { base, target, rewrites: earlier }: Pick<PreparedFile, 'base' | 'target' | 'rewrites'>,
): Promise<PreparedFile | UpdateRefusal> {
  const byLine = new Map(earlier.map((rewrite) => [rewrite.line, rewrite]))
  const added: Rewrite[] = []
  for (const rewrite of rewrites) {
    const known = byLine.get(rewrite.line)
    const foreign = findForeignLine(base, rewrite)
    if (foreign !== undefined) return refusal({ file, rewrites }, refusals.foreign(foreign), foreign)
    if (known === undefined) added.push(rewrite)
    else if (JSON.stringify(known.after) !== JSON.stringify(rewrite.after))
      return refusal({ file, rewrites }, refusals.conflict, rewrite.line)
  }
  const all = [...earlier, ...added]
  const text = rewriteSource(base, all)
  const prepared = { file, target, base, rewrites: all, added }
  if (!isRecordingFile(file)) return { ...prepared, text }
  // Imported late, because few runs need the markdown parser.
  const { resealRecording } = await import('../../spec/recording/format-recording.ts')
  return { ...prepared, text: resealRecording(text) }
}
