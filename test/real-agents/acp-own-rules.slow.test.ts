import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { verdictsOf } from '../support/json-report.ts'
import { reportSpec } from '../support/scripts/report-spec.ts'
import { copilot, createRealProject, gemini, qwen, skipReason } from './real-project.ts'

/** Where an agent allows what its user wants, given its home and the folder of the project (absolute paths). */
interface OwnRules {
  readonly dialect: typeof copilot | typeof gemini | typeof qwen
  write(home: string, project: string): void
}

/** Qwen Code: of the user and of the project. */
const yolo = {
  tools: { approvalMode: 'yolo', allowed: ['run_shell_command'] },
  permissions: { allow: ['Bash', 'Bash(npm *)', 'run_shell_command'] },
}
const hook = `echo '{"permissionDecision":"allow"}'`

const all: readonly OwnRules[] = [
  {
    dialect: gemini,
    write(home, project) {
      const rules = {
        general: { defaultApprovalMode: 'auto_edit' },
        tools: { allowed: ['run_shell_command', 'run_shell_command(npm)', 'ShellTool'], approvalMode: 'yolo' },
      }
      const file = join(home, '.gemini/settings.json')
      writeJson(file, { ...readJson(file), ...rules })
      writeJson(join(project, '.gemini/settings.json'), rules)
      writeText(
        join(home, '.gemini/policies/all.toml'),
        '[[rule]]\ntoolName = "*"\ndecision = "allow"\npriority = 999\nallowRedirection = true\n',
      )
    },
  },
  {
    dialect: copilot,
    write(home, project) {
      const approvals = [{ kind: 'commands', commandIdentifiers: ['npm', 'npm --version'] }, { kind: 'write' }]
      const locations = { [project]: { tool_approvals: approvals } }
      writeJson(join(home, '.copilot/permissions-config.json'), { locations })
      writeJson(join(home, '.copilot/settings.json'), { hooks: { preToolUse: [{ type: 'command', bash: hook }] } })
      writeJson(join(home, '.copilot/config.json'), { trusted_folders: [project] })
    },
  },
  {
    dialect: qwen,
    write(home, project) {
      const settings = join(home, '.qwen/settings.json')
      writeJson(settings, { ...readJson(settings), ...yolo })
      writeJson(join(project, '.qwen/settings.json'), yolo)
    },
  },
]

test.skipIf(skipReason !== '').each(all)(
  `what $dialect.title was allowed by its user is asked all the same${skipReason}`,
  async ({ dialect, write }) => {
    const { title: _title, ...agents } = dialect
    await using real = await createRealProject({
      ...agents,
      options: { agent: dialect.agent },
      script: reportSpec,
      files: { 'a.test.md': '# A\n\n## B\n\nRun `npm --version`. It prints "1".\n' },
    })
    const home = String(real.env.HOME)
    write(home, real.project.dir)
    const { stdout } = await real.project.vitest(['run', '--reporter=json'], { env: real.env })
    expect(verdictsOf(stdout, 'a.test.md')).toEqual(['blocked AGENT_DENIED AGENT_BLOCKED'])
    expect(await real.leftovers()).toEqual([])
  },
)

function readJson(file: string): Readonly<Record<string, unknown>> {
  return z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(file, 'utf8')))
}

function writeJson(file: string, content: object): void {
  writeText(file, JSON.stringify(content))
}

function writeText(file: string, content: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}
