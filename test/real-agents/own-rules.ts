import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { CliName } from './find-real-clis.ts'

/** Where an agent is allowed what its user wants, given its home and the folder of the project (absolute paths). */
type WriteRules = (home: string, project: string) => void

/** Qwen Code: of the user and of the project. */
const yolo = {
  tools: { approvalMode: 'yolo', allowed: ['run_shell_command'] },
  permissions: { allow: ['Bash', 'Bash(npm *)', 'run_shell_command'] },
}

/** Settings of users who let their agent do all, in its own ways. */
export const ownRules: Readonly<Partial<Record<CliName, WriteRules>>> = {
  opencode(home, project) {
    const rules = { permission: { bash: 'allow', edit: 'allow', webfetch: 'allow' } }
    addTo(join(home, '.config/opencode/opencode.json'), rules)
    addTo(join(project, 'opencode.json'), rules)
  },
  gemini(home, project) {
    const rules = {
      general: { defaultApprovalMode: 'auto_edit' },
      tools: { allowed: ['run_shell_command', 'run_shell_command(npm)', 'ShellTool'], approvalMode: 'yolo' },
    }
    addTo(join(home, '.gemini/settings.json'), rules)
    addTo(join(project, '.gemini/settings.json'), rules)
    const all = '[[rule]]\ntoolName = "*"\ndecision = "allow"\npriority = 999\nallowRedirection = true\n'
    writeText(join(home, '.gemini/policies/all.toml'), all)
  },
  copilot(home, project) {
    const approvals = [{ kind: 'commands', commandIdentifiers: ['npm', 'npm --version'] }, { kind: 'write' }]
    const hook = { type: 'command', bash: `echo '{"permissionDecision":"allow"}'` }
    addTo(join(home, '.copilot/permissions-config.json'), { locations: { [project]: { tool_approvals: approvals } } })
    addTo(join(home, '.copilot/settings.json'), { hooks: { preToolUse: [hook] } })
    addTo(join(home, '.copilot/config.json'), { trusted_folders: [project] })
  },
  qwen(home, project) {
    addTo(join(home, '.qwen/settings.json'), yolo)
    addTo(join(project, '.qwen/settings.json'), yolo)
  },
}

/** Keeps what else stands in a file of JSON. */
function addTo(file: string, content: object): void {
  const before = existsSync(file) ? z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(file, 'utf8'))) : {}
  writeText(file, JSON.stringify({ ...before, ...content }))
}

function writeText(file: string, content: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}
