/** How a command ended, in words; one table turns them into exit codes. */
export type CommandEnding =
  | { readonly command: 'run' | 'gate'; readonly end: 'passed' | 'failed' | 'set-up-error' }
  | { readonly command: 'list'; readonly end: 'done' | 'problems' }
  | {
      readonly command: 'none' | 'show' | 'report' | 'init' | 'mcp' | 'sessions' | 'docs'
      readonly end: 'done' | 'set-up-error'
    }
  | { readonly command: 'fix'; readonly end: keyof typeof fixCodes }
  | { readonly command: 'any'; readonly end: 'interrupted'; readonly signal: 'SIGINT' | 'SIGTERM' }

/** Exit codes of `mdtest run` and `gate`: 0 all that was executed passed, 1 any failed or blocked, 2 nothing could be run. */
const runCodes = { passed: 0, failed: 1, 'set-up-error': 2 } as const // literal codes

/** Exit codes of `mdtest list`: a spec that cannot be planned would fail in a run, too. */
const listCodes = { done: 0, problems: 1 } as const // literal codes

/** Exit codes of `mdtest fix`: 1 where a limit was reached, 2 without progress, 3 for what is wrong beside the tests. */
const fixCodes = { success: 0, incomplete: 1, stalled: 2, error: 3 } as const // literal codes

/** Exit codes of the others. */
const otherCodes = { done: 0, 'set-up-error': 2 } as const // literal codes

/** 128 plus the number of the signal, as shells report it. */
const signalCodes = { SIGINT: 130, SIGTERM: 143 } as const // literal codes

/** The exit code of a command, 0 to 143. */
export function exitCodeOf(ending: CommandEnding): number {
  switch (ending.command) {
    case 'run':
    case 'gate':
      return runCodes[ending.end]
    case 'list':
      return listCodes[ending.end]
    case 'fix':
      return fixCodes[ending.end]
    case 'none':
    case 'show':
    case 'report':
    case 'init':
    case 'mcp':
    case 'sessions':
    case 'docs':
      return otherCodes[ending.end]
    case 'any':
      return signalCodes[ending.signal]
    default:
      return ending satisfies never
  }
}
