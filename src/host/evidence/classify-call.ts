import { resolve } from 'node:path'
import type { ToolCall } from '../../agents/agent.ts'
import type { LineFacts } from '../../executor/line-facts.ts'
import { statsOf } from '../../executor/directories.ts'
import { permit } from '../../executor/permit.ts'
import { realPathOf } from '../../system/files/ground.ts'
import { isInside } from '../../system/files/is-inside.ts'

/** A tool call, as far as it is known when it begins. */
export type SeenCall = Pick<ToolCall, 'kind' | 'tool' | 'use' | 'title' | 'files' | 'input' | 'directory'>

export interface CallSurroundings {
  /** Absolute path of where the agent works. */
  readonly cwd: string
  /** Absolute paths of the directories in which the call may have begun. */
  readonly directories: readonly string[]
  readonly allow: readonly string[]
  /** Names of MCP servers that the spec names: they belong to the product. */
  readonly servers: readonly string[]
  /** Absolute path of the folder for evidence. */
  readonly evidenceDir: string
  /** Milliseconds since 1970. */
  readonly startedAtMs: number
  /** Files that the agent may have written (absolute paths, links resolved). */
  readonly ownFiles: ReadonlySet<string>
  /** Files into which the product alone printed (the same). */
  readonly filesOfProduct: ReadonlySet<string>
  /** Why the product works on what the agent made, from some call on. */
  readonly taint: string | undefined
  /** Whether mdtest itself executed it, and judged it before. */
  readonly isExecutor: boolean
}

const byItself = 'It shows things, and proves nothing. Run the product, and quote what it prints.'

/**
 * Why what a call printed proves nothing, and what would; `undefined` where it counts. The one rule for what may be quoted:
 * what a program that a rule of `allow` names printed by itself, a file that changed since the scenario began and that the
 * agent did not write, a page in mdtest's browser, an answer of a server of the spec.
 *
 * @param line given for a command
 */
export function doubtOfCall(
  call: SeenCall,
  line: LineFacts | undefined,
  surroundings: CallSurroundings,
): string | undefined {
  const { kind, tool, files, use } = call
  if (kind === 'browser') return undefined
  if (line !== undefined) {
    if (line.lookedAt !== undefined && isChangedByProduct(line.lookedAt, surroundings)) return surroundings.taint
    return line.doubt ?? surroundings.taint ?? (surroundings.isExecutor ? undefined : shellDoubt(call, surroundings))
  }
  if (kind === 'file')
    return use !== 'list' && isChangedByProduct(files, surroundings)
      ? surroundings.taint
      : `\`${tool}\` only reads. ${byItself}`
  const isOfSpec = kind === 'mcp' && surroundings.servers.some((name) => tool.startsWith(`mcp__${name}__`))
  return isOfSpec ? surroundings.taint : `\`${tool}\` is no part of the product. ${byItself}`
}

/** What mdtest would not execute proves nothing in an agent's own shell, either. */
function shellDoubt({ title }: SeenCall, { allow, cwd, directories, ownFiles }: CallSurroundings): string | undefined {
  const hasRules = allow.some((rule) => rule.startsWith('Bash'))
  const permission = permit(title, {
    allow: hasRules ? allow : ['Bash(*)'],
    directories,
    home: cwd,
    roots: ['/'],
    isWritable: () => true,
    isOwn: (file) => ownFiles.has(realPathOf(file)),
    environment: new Set(),
  })
  return permission.ok ? undefined : permission.message
}

/** Whether all that was looked at are files of the product's making. */
function isChangedByProduct(
  files: readonly string[],
  { cwd, directories, evidenceDir, startedAtMs, ownFiles, filesOfProduct }: CallSurroundings,
): boolean {
  const found = files.flatMap((file) => {
    const path = realPathOf(resolve(directories[0] ?? cwd, file))
    const stats = statsOf(path)
    return stats?.isFile() === true ? [{ path, stats }] : []
  })
  const roots = [cwd, evidenceDir].map(realPathOf)
  const isOfProduct = ({ path, stats }: (typeof found)[number]): boolean =>
    !ownFiles.has(path) &&
    (filesOfProduct.has(path) || (stats.ctimeMs >= startedAtMs && roots.some((root) => isInside(path, root))))
  return directories.length === 1 && found.length > 0 && found.every(isOfProduct)
}
