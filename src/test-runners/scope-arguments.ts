import type { RunScope } from './runner.ts'

/**
 * Arguments of a runner that takes a path and has an option for patterns. Neither can be taken for another option.
 *
 * @param patternOption such as `--name`
 */
export function scopeArguments(run: RunScope, patternOption: string): readonly string[] {
  switch (run.scope) {
    case 'all':
      return []
    case 'file':
      return [`./${run.target}`]
    case 'pattern':
      return [`${patternOption}=${run.target}`]
  }
}
