import { classNameOf, projectProgram } from '../command-parts.ts'
import { readJvmReports } from '../readers/jvm-reports.ts'
import { readPlainJvm } from '../readers/jvm-output.ts'
import type { Runner, RunScope } from '../runner.ts'

/** Patterns are those of `--tests`: class and method names with `*`. */
export const gradle: Runner<'gradle'> = {
  name: 'gradle',
  files: [{ name: /^(?:build|settings)\.gradle(?:\.kts)?$/ }],
  form: /gradlew?\b.*\b(?:test|check|build)/,
  template: {
    all: './gradlew cleanTest test --continue',
    file: './gradlew cleanTest test --continue --tests=CLASS OF FILE',
    pattern: './gradlew cleanTest test --continue --tests=PATTERN',
  },
  buildCommand({ run, root }) {
    // Without `cleanTest` nothing is run where nothing has changed; a daemon would outlive the run.
    const tasks = ['--no-daemon', '--console=plain', '--continue', 'cleanTest', 'test']
    return { argv: [projectProgram(root, ['gradlew'], 'gradle'), ...tasks, ...scopeArguments(run)] }
  },
  readResults: (output) => readJvmReports(output, /(?:^|\/)build\/test-results\/[^/]+$/),
  readPlain: readPlainJvm,
}

function scopeArguments(run: RunScope): readonly string[] {
  switch (run.scope) {
    case 'all':
      return []
    case 'file':
      return [`--tests=${classNameOf(run.target)}`]
    case 'pattern':
      return [`--tests=${run.target}`]
  }
}
