import type { SyntaxNode } from 'unbash'
import { quoteForBash } from '../text/shell-and-regex-quotes.ts'

/** Holds code to run after `trap`, `source` and `eval`, which may set an ERR trap. Unset if no failure is recorded. */
export const armVariable = '__mdtest_r'

/**
 * Makes `pipefail` ignore a writer that SIGPIPE ended (141), as in `yes | head -1`. Notes a writer that could not be
 * started (126, 127). Records a failure before an ERR trap of the user runs, which may `exit 0`. Keeps line numbers.
 * Code that cannot be parsed stays unchanged.
 */
export async function watchedCode(code: string, unstartedFile: string): Promise<string> {
  if (!/(?<!\|)\|(?!\|)|\b(?:trap|source|eval)\b|(?:^|[\s;&({])\.\s/.test(code)) return code
  const { forEachChild, parse } = await import('unbash')
  const note = `{ \\builtin echo >>${quoteForBash(unstartedFile)}; } 2>/dev/null`
  const afterWriter = `${endWriter}; [[ $__mdtest_p != 12[67] ]] || ${note}; \\builtin exit $__mdtest_p; }`
  const places: Place[] = []
  const put = (before: string, { pos, end }: SyntaxNode, after: string): void =>
    void places.push({ at: pos, text: before }, { at: end, text: after })
  const visit = (node: SyntaxNode): void => {
    if ('errors' in node && node.errors) throw new SyntaxError(node.errors[0]?.message)
    // Skip backquotes with backslashes, because the parser's positions inside are wrong.
    if (node.type === 'CommandExpansion' && /^`.*\\/s.test(node.text)) return
    if (node.type === 'Statement' && endsInCompound(node.command)) places.push({ at: node.pos, text: noteLine })
    if (node.type === 'Pipeline')
      for (const each of node.commands.slice(0, -1)) if (canBeWatched(each)) put(beforeWriter, each, afterWriter)
    const commands = node.type === 'Statement' ? [node.command] : node.type === 'AndOr' ? node.commands : []
    for (const each of commands)
      if (each.type === 'Command' && setsTraps.test(each.name?.value ?? '')) put('{ ', each, arm)
    forEachChild(node, visit)
  }
  try {
    visit(parse(code))
    return insert(code, places)
  } catch {
    return code
  }
}

interface Place {
  readonly at: number
  readonly text: string
}

function insert(code: string, places: readonly Place[]): string {
  const parts = places
    .toSorted((one, other) => one.at - other.at)
    .map(({ at, text }, n, all) => code.slice(all[n - 1]?.at, at) + text)
  return parts.join('') + code.slice(Math.max(0, ...places.map(({ at }) => at)))
}

/** Whether a pipe ends in a compound command, as in `a | while …`. Bash does not know the line of this pipe. */
function endsInCompound(node: SyntaxNode): boolean {
  return node.type === 'Pipeline' && node.commands.length > 1 && node.commands.at(-1)?.type !== 'Command'
}

const setsTraps = /^(?:trap|source|\.|eval)$/
const arm = `; { \\builtin eval "\${${armVariable}-(\\builtin exit $?) && :}" && :; } 2>/dev/null; }`

/** Excludes `jobs`, because `jobs` lists nothing if it is wrapped. */
function canBeWatched(writer: SyntaxNode): boolean {
  return !['Coproc', 'Function'].includes(writer.type) && !(writer.type === 'Command' && writer.name?.value === 'jobs')
}

const noteLine = '{ __mdtest_i=$LINENO; } 2>/dev/null; '

/** Two subshells: SIGPIPE ends the inner one. The outer one is `{ … }`, because bash miscounts lines after `(`. */
const beforeWriter = [
  '{ { __mdtest_p=$? __mdtest_o=${-//[^ex]}; \\builtin set +ex',
  '[[ ! -o errtrace ]] || \\builtin trap - ERR; } 2>/dev/null',
  '( { [[ -z $__mdtest_o ]] || \\builtin set -$__mdtest_o',
  '(\\builtin exit $__mdtest_p) && \\builtin unset __mdtest_p __mdtest_o; } 2>/dev/null; ',
].join('; ')
const endWriter = ' ); __mdtest_p=$?; [[ $__mdtest_p != 141 || ! -o pipefail ]] || __mdtest_p=0'
