import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ToolCall } from '../../agents/agent.ts'
import { lineFacts } from '../../executor/line-facts.ts'
import { realPathOf } from '../../system/files/ground.ts'
import { isInside } from '../../system/files/is-inside.ts'

/** A tool call, as far as it is known when it begins. */
export type SeenCall = Pick<ToolCall, 'kind' | 'tool' | 'use' | 'title' | 'files' | 'input' | 'directory'>

export interface CallSurroundings {
  /** Absolute path of where the agent works. */
  readonly cwd: string
  readonly allow: readonly string[]
  /** Names of MCP servers that the spec names: they belong to the product. */
  readonly servers: readonly string[]
  /** Absolute path of the folder for evidence. */
  readonly evidenceDir: string
  /** Milliseconds since 1970. */
  readonly startedAtMs: number
  /** Files that the agent may have written (absolute paths, links resolved). */
  readonly ownFiles: ReadonlySet<string>
}

/** What a call says of the product. */
export interface CallFacts {
  /** Why what it printed proves nothing, and what would; absent where it counts. */
  readonly doubt?: string
  /** Words that the agent gave it. */
  readonly words: readonly string[]
}

const byItself = 'It shows things, and proves nothing. Run the product, and quote what it prints.'

/**
 * The one rule for what may be quoted: what a program that a rule of `allow` names printed by itself, a file that changed
 * since the scenario began and that the agent did not write, a page in mdtest's browser, an answer of a server of the spec.
 */
export function classifyCall(call: SeenCall, surroundings: CallSurroundings): CallFacts {
  const { kind, tool, title, files, input } = call
  switch (kind) {
    case 'command': {
      const { cwd, allow } = surroundings
      const { doubt, words, lookedAt } = lineFacts(title, { allow, home: cwd, cwd: call.directory ?? cwd })
      if (lookedAt !== undefined && isChangedByProduct(lookedAt, call, surroundings)) return { words }
      const own = doubt ?? ownFolderDoubt(words, call, surroundings)
      return { words, ...(own !== undefined && { doubt: own }) }
    }
    case 'file': {
      const isOfProduct = call.use !== 'list' && isChangedByProduct(files, call, surroundings)
      return { words: [], ...(!isOfProduct && { doubt: `\`${tool}\` only reads. ${byItself}` }) }
    }
    case 'browser':
      return { words: stringsIn(input) }
    case 'mcp': {
      const isOfSpec = surroundings.servers.some((name) => tool.startsWith(`mcp__${name}__`))
      return {
        words: stringsIn(input),
        ...(!isOfSpec && { doubt: `\`${tool}\` is no part of the product. ${byItself}` }),
      }
    }
    case 'web':
    case 'other':
      return { words: stringsIn(input), doubt: `\`${tool}\` is no part of the product. ${byItself}` }
  }
}

/** Whether all that was looked at are files of the product's making. */
function isChangedByProduct(
  files: readonly string[],
  { directory }: SeenCall,
  { cwd, evidenceDir, startedAtMs, ownFiles }: CallSurroundings,
): boolean {
  const found = files.flatMap((file) => {
    const path = realPathOf(resolve(directory ?? cwd, file))
    const stats = statSync(path, { throwIfNoEntry: false })
    return stats?.isFile() === true ? [{ path, stats }] : []
  })
  const roots = [cwd, evidenceDir].map(realPathOf)
  const isOfProduct = ({ path, stats }: (typeof found)[number]): boolean =>
    stats.ctimeMs >= startedAtMs && roots.some((root) => isInside(path, root)) && !ownFiles.has(path)
  return found.length > 0 && found.every(isOfProduct)
}

/** Why a product that works in a folder of the agent's own shows nothing: it shows what the agent put there. */
function ownFolderDoubt(
  words: readonly string[],
  { directory }: SeenCall,
  { cwd, ownFiles }: CallSurroundings,
): string | undefined {
  if (ownFiles.size === 0) return undefined
  const own = words.find((word) => {
    const folder = realPathOf(resolve(directory ?? cwd, word))
    return !isInside(cwd, folder) && [...ownFiles].some((file) => file !== folder && isInside(file, folder))
  })
  return own === undefined ? undefined : `\`${own}\` is a folder of your own. Run the product on its own data.`
}

function stringsIn(input: unknown): readonly string[] {
  if (typeof input === 'string') return input === '' ? [] : [input]
  return typeof input === 'object' && input !== null ? Object.values(input).flatMap(stringsIn) : []
}
