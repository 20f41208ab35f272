import type { CommandSyntax } from '../../src/commands/common/define-command.ts'
import { coverageSyntax } from '../../src/commands/coverage/coverage.ts'
import { demoSyntax } from '../../src/commands/demo/demo.ts'
import { docsSyntax } from '../../src/commands/docs/docs.ts'
import { fixSyntax } from '../../src/commands/fix/flags.ts'
import { gateSyntax } from '../../src/commands/gate/flags.ts'
import { initSyntax } from '../../src/commands/init/init.ts'
import { listSyntax } from '../../src/commands/list/list.ts'
import { loginSyntax } from '../../src/commands/login/login.ts'
import { mcpSyntax } from '../../src/commands/mcp/mcp.ts'
import { recordSyntax } from '../../src/commands/record/record.ts'
import { reportSyntax } from '../../src/commands/report/report.ts'
import { sessionsSyntax } from '../../src/commands/sessions/sessions.ts'
import { runSyntax } from '../../src/commands/run/flags.ts'
import { showSyntax } from '../../src/commands/show/show.ts'

/** Each command, and the page that tells of its flags. */
export const documented: readonly (readonly [string, string, CommandSyntax])[] = [
  ['run', 'command-line', runSyntax],
  ['record', 'recordings', recordSyntax],
  ['list', 'command-line', listSyntax],
  ['show', 'command-line', showSyntax],
  ['login', 'browser-login', loginSyntax],
  ['report', 'pull-requests', reportSyntax],
  ['coverage', 'coverage', coverageSyntax],
  ['gate', 'gate', gateSyntax],
  ['init', 'command-line', initSyntax],
  ['mcp', 'mcp', mcpSyntax],
  ['fix', 'fix', fixSyntax],
  ['sessions', 'fix', sessionsSyntax],
  ['demo', 'command-line', demoSyntax],
  ['docs', 'command-line', docsSyntax],
]
