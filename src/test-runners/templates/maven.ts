import { classNameOf, projectProgram } from '../command-parts.ts'
import { readJvmReports } from '../readers/jvm-reports.ts'
import { readPlainJvm } from '../readers/jvm-output.ts'
import type { Runner, RunScope } from '../runner.ts'

/** Patterns are those of `-Dtest`: class names with `*`, and `#method`. */
export const maven: Runner<'maven'> = {
  name: 'maven',
  files: [{ name: /^pom\.xml$/ }],
  form: /mvnw?\b.*\b(?:test|verify|install|package)/,
  template: {
    all: './mvnw --batch-mode --fail-at-end test',
    file: './mvnw --batch-mode --fail-at-end test -Dtest=CLASS OF FILE',
    pattern: './mvnw --batch-mode --fail-at-end test -Dtest=PATTERN',
  },
  buildCommand({ run, root }) {
    const goals = ['--batch-mode', '--no-transfer-progress', '--fail-at-end', 'test']
    return { argv: [projectProgram(root, ['mvnw'], 'mvn'), ...goals, ...scopeArguments(run)] }
  },
  readResults: (output) => readJvmReports(output, /(?:^|\/)target\/surefire-reports$/),
  readPlain: readPlainJvm,
}

function scopeArguments(run: RunScope): readonly string[] {
  // Else each module without such a test fails.
  const select = (tests: string): readonly string[] => [`-Dtest=${tests}`, '-Dsurefire.failIfNoSpecifiedTests=false']
  switch (run.scope) {
    case 'all':
      return []
    case 'file':
      return select(classNameOf(run.target))
    case 'pattern':
      return select(run.target)
  }
}
