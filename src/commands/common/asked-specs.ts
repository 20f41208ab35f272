import { relative } from 'node:path'
import { describeLeftOut, mayHavePages } from '../../plan/index-pages.ts'
import { defaultInclude, plainInclude } from '../../plan/options/defaults.ts'
import type { ResolvedOptions } from '../../plan/options/resolve-options.ts'
import { placesFrom } from '../../plan/dialect-of.ts'
import { ownCommand } from '../../system/own-package.ts'
import { quoteWord } from '../../system/text/quoting.ts'
import type { CliContext } from './cli-context.ts'
import type { OnLeftOut } from './find-specs.ts'
import type { agentFlag } from './shared-flags.ts'

/** A name for `--agent`. */
export type AskedAgent = ReturnType<(typeof agentFlag)['read']>

/** What a command line says of the specs that are meant. */
interface Asked {
  /** `--include`. */
  readonly include?: readonly string[] | undefined
  /** `--agent`. */
  readonly agent?: AskedAgent | undefined
  /** Files and folders that are named: in these, files of other tools are specs by their place. Default: none. */
  readonly paths?: readonly string[]
}

interface AskContext extends Pick<CliContext, 'stderr'> {
  readonly options: ResolvedOptions
  readonly root: string
}

/** Which files are specs, and who is told of pages that are none. */
interface SpecFilter {
  /** Globs relative to the root. */
  readonly include: readonly string[]
  readonly onLeftOut: OnLeftOut | undefined
}

/**
 * What is a spec for a command line, the same for every command: for an agent that drives a browser any markdown is one,
 * unless flags or options say otherwise, but for pages about specs, which are named.
 */
export function specFilter(
  { include, agent, paths = [] }: Asked,
  { options: { agent: usualAgent, include: usual }, root, stderr }: AskContext,
): SpecFilter {
  const isAny = mayHavePages(agent) && usual.join() === defaultInclude.join()
  return {
    include: include ?? (isAny ? plainInclude : [...usual, ...(paths.length > 0 ? placesFrom(root) : [])]),
    onLeftOut: mayHavePages(agent ?? usualAgent)
      ? (files) => {
          if (files.length > 0) stderr.write(`${describeLeftOut(files.map((file) => relative(root, file)))}\n`)
        }
      : undefined,
  }
}

/** A command for a message. With another agent than was asked for it would read specs in another way. */
export function commandFor(words: readonly string[], agent: AskedAgent | undefined): string {
  const name = typeof agent === 'object' ? quoteWord(JSON.stringify(agent)) : agent
  return [ownCommand, ...words, ...(name === undefined ? [] : ['--agent', name])].join(' ')
}
