import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { type FixReport } from '../../src/commands/fix/session/fix-report.ts'
import { sessionStateSchema, type SessionState } from '../../src/commands/fix/session/session-state.ts'
import { agentEnvironment } from '../../src/agents/agent-environment.ts'
import { hostileName, hostileViteName } from './hostile-name.ts'
import { lane } from './lane.ts'
import { createProjectFiles, type ProjectFiles } from './project-files.ts'
import { spawnCommand } from './spawn-command.ts'

const bin = fileURLToPath(new URL('../../dist/bin.js', import.meta.url))
const agent = fileURLToPath(new URL('../../fixtures/bin/fixing-agent.mjs', import.meta.url))

/** What the agent does, attempt by attempt; see `fixtures/bin/fixing-agent.mjs`. */
export interface AgentPlan {
  readonly attempts: readonly object[]
  readonly script?: string
  /** Whether prompts are kept. */
  readonly prompts?: boolean
  /** Whether the entry is chosen by the attempts that the prompt tells of, and not by calls. */
  readonly byAttempt?: boolean
}

export interface FixRun {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
  /** Where it was printed. */
  readonly report: FixReport
}

/** A repository with tests that fail, and an agent with a plan. */
export interface FixProject extends Omit<ProjectFiles, 'base'> {
  readonly planFile: string
  readonly agentCommand: string
  plan(plan: AgentPlan): void
  /** Roles that were asked, in order. */
  calls(): readonly string[]
  /** The nth prompt, from 1. */
  prompt(n: number): string
  mdtest(...args: string[]): Promise<FixRun>
  /** `mdtest fix` with the agent, as JSON. */
  fix(...args: string[]): Promise<FixRun>
  /** Of the newest session. */
  state(): SessionState
  /** A file of the newest session, without what differs from run to run. */
  tidy(name: string): string
  /** Absolute path of the newest session's folder. */
  sessionFolder(): string
}

export const wrongSum = 'export const sum = (a, b) => a - b\nexport const twice = (a) => 2 * a\n'
export const rightSum = wrongSum.replace('a - b', 'a + b')

/** Two tests, one of which fails. They run in 0.1 s. */
export const nodeProject: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({ name: 'p', type: 'module', scripts: { test: 'node --test' } }),
  'sum.mjs': wrongSum,
  'sum.test.mjs': `import assert from 'node:assert/strict'
import test from 'node:test'
import { sum, twice } from './sum.mjs'

test('adds', () => {
  assert.equal(sum(2, 3), 5)
})

test('doubles', () => {
  assert.equal(twice(2), 4)
})
`,
}

export function createFixProject(files: Readonly<Record<string, string>>, name = hostileName): FixProject {
  const { base: folder, ...own } = createProjectFiles('mdtest-fix-', files, name)
  const { root, path, git } = own
  const planFile = join(folder, 'plan.json')
  git('init', '-q', '-b', 'main')
  git('add', '.')
  git('commit', '-qm', 'first')
  const agentCommand = `'${process.execPath}' '${agent}' '${planFile}' {prompt}`
  const mdtest = async (...args: string[]): Promise<FixRun> => {
    const { VITEST: _vitest, ...outer } = process.env
    const env = agentEnvironment({ ...outer, PATH: `${dirname(lane.node)}${delimiter}${outer.PATH}` })
    const command = { argv: [lane.node, bin, ...args], cwd: root, env }
    const ended = await spawnCommand(command as never, 280_000)
    let report: FixRun['report'] | undefined
    try {
      report = JSON.parse(ended.stdout) as FixRun['report'] // by its schema, which has a test of its own
    } catch {
      // Nothing was printed, or not as JSON.
    }
    return { ...ended, report: report as FixRun['report'] } // looked at only where there is one
  }
  const sessionFolder = (): string => {
    const folders = readdirSync(path('.mdtest/sessions')).map((name) => path(join('.mdtest/sessions', name)))
    return folders.toSorted((a, b) => statSync(a).birthtimeMs - statSync(b).birthtimeMs).at(-1) ?? ''
  }
  return {
    ...own,
    planFile,
    agentCommand,
    plan: (plan) => writeFileSync(planFile, JSON.stringify(plan)),
    calls: () => (existsSync(`${planFile}.calls`) ? readFileSync(`${planFile}.calls`, 'utf8').trim().split('\n') : []),
    prompt: (n) => readFileSync(`${planFile}.${n}.md`, 'utf8'),
    mdtest,
    fix: (...args) =>
      mdtest(
        'fix',
        ...(args.includes('--resume') ? [] : ['--feature', 'sums', '--agent', agentCommand]),
        '--json',
        ...args,
      ),
    state: () => sessionStateSchema.parse(JSON.parse(readFileSync(join(sessionFolder(), 'state.json'), 'utf8'))),
    tidy: (name) => tidy(readFileSync(join(sessionFolder(), name), 'utf8'), folder),
    sessionFolder,
  }
}

/** Without times, ids and names of this machine; of messages the first line, because stacks differ between versions of Node. */
function tidy(text: string, folder: string): string {
  return text
    .replaceAll(join(folder, hostileName), '/home/me/project')
    .replaceAll(folder, '/home/me')
    .replaceAll(process.execPath, 'node')
    .replaceAll(fileURLToPath(new URL('../..', import.meta.url)), '/vitest-mdtest/')
    .replaceAll(/-\d{8}T\d{6}-[0-9a-f]{6}/g, '-20260102T030405-abc123')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d[\w-]*/g, '2026-01-02T03-04-05')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-01-02T03:04:05.678Z')
    .replaceAll(/("(?:elapsed_ms|duration_ms)": )[\d.]+/g, '$11000')
    .replaceAll(/("signature": ")[0-9a-f]{16}/g, '$10123456789abcdef')
    .replaceAll(/(-(?:implementer|prompt-writer|summarizer|test-tasker))-[0-9a-f]{6}\b/g, '$1-abc123')
    .replaceAll(/mdtest-[0-9a-f]{16}/g, 'mdtest-0123456789abcdef')
    .replaceAll(/("message": "(?:[^"\\]|\\[^n])*)(?:\\n(?:[^"\\]|\\.)*)"/g, '$1"')
}

const sums = `import { expect, test } from 'vitest'
import { sum, twice } from '../src/sum.js'
test('adds', () => expect(sum(2, 3)).toBe(5))
test('doubles', () => expect(twice(2)).toBe(4))
`

/** With Vitest, in a folder of this name. */
export function vitestProject(files: Readonly<Record<string, string>> = {}, name = hostileViteName): FixProject {
  const project = createFixProject(
    {
      'package.json': '{ "type": "module" }',
      '.gitignore': 'node_modules\n',
      'src/sum.js': wrongSum,
      'test/sum.test.js': sums,
      ...files,
    },
    name,
  )
  linkVitest(project.path)
  return project
}

/** Puts Vitest into a project, by its paths. */
export function linkVitest(path: ProjectFiles['path']): void {
  const links = { ...lane.packages, '.bin/vitest': '../vitest/vitest.mjs' }
  for (const [link, target] of Object.entries(links)) {
    const at = path(`node_modules/${link}`)
    mkdirSync(dirname(at), { recursive: true })
    rmSync(at, { force: true, recursive: true })
    symlinkSync(target, at)
  }
}

/** What people can read in `examples/` is what it writes. */
export async function expectFixExample(project: FixProject, name: string, artifacts: readonly string[]): Promise<void> {
  const folder = fileURLToPath(new URL(`../../examples/fix-sessions/${name}`, import.meta.url))
  for (const file of [
    'state.json',
    'events.jsonl',
    'artifacts/report.json',
    ...artifacts.map((each) => `artifacts/${each}`),
  ]) {
    await expect(project.tidy(file)).toMatchFileSnapshot(join(folder, basename(file)))
  }
}
