import { z } from 'zod'
import type { Git } from './git.ts'

/** Where a repository stands, besides its files. */
export const gitStateSchema = z.object({
  /** Name of a branch, `refs/heads/…`, or the id of a commit. */
  head: z.string(),
  /** The commit of HEAD; `null` before the first one. */
  tip: z.string().nullable(),
  /** Ids by name: branches, tags, and objects that take the place of others. */
  refs: z.record(z.string(), z.string()),
  /** Newest first. */
  stashes: z.array(z.object({ id: z.string(), message: z.string() })),
})

export type GitState = z.infer<typeof gitStateSchema>

export async function readGitState(git: Git): Promise<GitState> {
  const format = '--format=%(HEAD)%(refname) %(objectname)'
  const lines = linesOf(await git(['for-each-ref', format, 'refs/heads', 'refs/tags', replaceRefs, 'refs/stash']))
  const entries = lines.map((line) => line.slice(1).split(' ') as [string, string]) // by the format
  const current = lines.findIndex((line) => line.startsWith('*'))
  const [head, tip] = entries[current] ?? (await unusualHead(git))
  const hasStash = entries.some(([name]) => name === stashRef)
  return {
    head,
    tip,
    refs: Object.fromEntries(entries.filter(([name]) => name !== stashRef)),
    stashes: hasStash ? await readStashes(git) : [],
  }
}

export const stashRef = 'refs/stash'
/** As `git replace` makes them: what git shows is another object then. */
const replaceRefs = 'refs/replace'

/** Names of what has moved: HEAD, its branch, the stash, branches and tags that are gone. Pure. */
export function movesBetween(before: GitState, now: GitState): readonly string[] {
  const isBranch = before.head.startsWith('refs/')
  const tip = isBranch ? (now.refs[before.head] ?? null) : before.tip
  const gone = Object.keys(before.refs).filter((name) => now.refs[name] === undefined && name !== before.head)
  const [stashes, nowStashes] = [stashesBack(before, now), now.stashes].map((list) => list.map(({ id }) => id).join())
  return [
    ...(before.head === now.head ? [] : ['HEAD']),
    ...(tip === before.tip ? [] : [before.head]),
    ...gone,
    ...replacements(before, now),
    ...(stashes === nowStashes ? [] : [stashRef]),
  ]
}

/** Objects that take the place of others since. Pure. */
export function replacements(before: GitState, now: GitState): readonly string[] {
  return Object.keys(now.refs).filter(
    (name) => name.startsWith(`${replaceRefs}/`) && now.refs[name] !== before.refs[name],
  )
}

/** Those from before, and new ones of other work trees, which share them: a stash says on which branch it was made. */
export function stashesBack(before: GitState, now: GitState): GitState['stashes'] {
  const known = new Set(before.stashes.map(({ id }) => id))
  const branches = [before.head, now.head].map((head) => head.replace(/^refs\/heads\//, ''))
  const ours = [...branches, '(no branch)'].map((branch) => `on ${branch}:`)
  const isOfOthers = ({ id, message }: GitState['stashes'][number]): boolean =>
    !known.has(id) && !ours.some((words) => message.toLowerCase().includes(words.toLowerCase()))
  return [...now.stashes.filter(isOfOthers), ...before.stashes]
}

/** Without a branch, or on one that has no commit. */
async function unusualHead(git: Git): Promise<readonly [string, string | null]> {
  const branch = await git(['symbolic-ref', '--quiet', 'HEAD']).then(text, () => undefined)
  if (branch !== undefined) return [branch, null]
  const id = text(await git(['rev-parse', '--verify', 'HEAD']))
  return [id, id]
}

async function readStashes(git: Git): Promise<GitState['stashes']> {
  const lines = linesOf(await git(['stash', 'list', '--format=%H %gs']))
  return lines.map((line) => ({ id: line.slice(0, line.indexOf(' ')), message: line.slice(line.indexOf(' ') + 1) }))
}

function linesOf(output: Buffer): readonly string[] {
  return output.toString().split('\n').filter(Boolean)
}

function text(output: Buffer): string {
  return output.toString().trim()
}
