import type { SyntaxNode } from 'unbash'
import { orNothing } from '../error-facts.ts'

/**
 * Code in which a reader may stop reading, as `head -1` and `grep -q` do: what writes to it ends by SIGPIPE, exit code 141,
 * and with `pipefail` that counts as 0. Line numbers stay. Code that cannot be read stays as it is.
 */
export async function watchedCode(code: string): Promise<string> {
  if (!/(?<!\|)\|(?!\|)/.test(code)) return code
  const { forEachChild, parse } = await import('unbash')
  const places: Place[] = []
  const visit = (node: SyntaxNode): void => {
    if ('errors' in node && node.errors) throw new SyntaxError(node.errors[0]?.message)
    // In such a substitution positions are those of its text without backslashes.
    if (node.type === 'CommandExpansion' && /^`.*\\/s.test(node.text)) return
    if (node.type === 'Statement' && endsInCompound(node.command)) places.push({ at: node.pos, text: noteLine })
    const writers = node.type === 'Pipeline' ? node.commands.slice(0, -1).filter(canBeWatched) : []
    for (const { pos, end } of writers) places.push({ at: pos, text: beforeWriter }, { at: end, text: afterWriter })
    forEachChild(node, visit)
  }
  return orNothing(() => visit(parse(code)) ?? insert(code, places)) ?? code
}

interface Place {
  readonly at: number
  readonly text: string
}

function insert(code: string, places: readonly { readonly at: number; readonly text: string }[]): string {
  const parts = places
    .toSorted((one, other) => one.at - other.at)
    .map(({ at, text }, n, all) => code.slice(all[n - 1]?.at, at) + text)
  return parts.join('') + code.slice(Math.max(0, ...places.map(({ at }) => at)))
}

/** bash knows the line of a pipe by its simple commands. */
function endsInCompound(node: SyntaxNode): boolean {
  return node.type === 'Pipeline' && node.commands.length > 1 && node.commands.at(-1)?.type !== 'Command'
}

/** `jobs` knows its jobs in a pipe only where it stands there by itself. */
function canBeWatched(writer: SyntaxNode): boolean {
  return !['Coproc', 'Function'].includes(writer.type) && !(writer.type === 'Command' && writer.name?.value === 'jobs')
}

const noteLine = '{ __mdtest_i=$LINENO; } 2>/dev/null; '

/**
 * A subshell is watched by one around it, because a builtin that gets SIGPIPE ends its own. The one around has no `errexit`,
 * `xtrace` or ERR trap; the writer has what it had, `$?` too. It is a group, since `(` in a pipe makes bash miscount lines.
 */
const beforeWriter = [
  '{ { __mdtest_p=$? __mdtest_o=${-//[^ex]}; \\builtin set +ex',
  '[[ ! -o errtrace ]] || \\builtin trap - ERR; } 2>/dev/null',
  '( { [[ -z $__mdtest_o ]] || \\builtin set -$__mdtest_o',
  '(\\builtin exit $__mdtest_p) && \\builtin unset __mdtest_p __mdtest_o; } 2>/dev/null; ',
].join('; ')
const afterWriter =
  ' ); __mdtest_p=$?; [[ $__mdtest_p != 141 || ! -o pipefail ]] || __mdtest_p=0; \\builtin exit $__mdtest_p; }'
