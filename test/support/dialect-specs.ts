import { chmod, readFile } from 'node:fs/promises'
import { createProject, type Finished, type Project } from './create-project.ts'

/** A document of the fixtures, without the front matter that names its dialect. */
export async function readDocument(name: string, file = 'spec.md'): Promise<string> {
  const text = await readFile(new URL(`../../fixtures/specs/${name}/${file}`, import.meta.url), 'utf8')
  return text.replace(/^---\n[^]*?\n---\n\n/, '')
}

/**
 * A Claude Code that keeps its prompts, runs a command and takes everything for passed, but for a minor who buys wine.
 * Other endings, for all it is asked, stand in the file `status`.
 */
const claude = `#!${process.execPath}
const { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } = require('node:fs')
const prompt = process.argv.at(-1)
const [, log] = /^Result log: (.*)$/m.exec(prompt)
const [run] = /[0-9a-f]{32}/.exec(prompt)
const say = (line) => console.log(JSON.stringify(line))
appendFileSync('prompts', prompt + '\\n')
const own = prompt.includes('age = "17"') ? 'fail' : 'pass'
const status = existsSync('status') ? readFileSync('status', 'utf8') : own
const outcomes = 'openspec/specs/notes/spec.logs/outcomes/'
if (existsSync('forge') && existsSync(outcomes))
  for (const name of readdirSync(outcomes))
    writeFileSync(outcomes + name, readFileSync(outcomes + name, 'utf8').replace('observed', 'verified'))
say({ type: 'system', subtype: 'init', session_id: '0', model: 'model-1' })
say({ type: 'assistant', message: { content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'notes' } }] } })
say({ type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 't1', content: '1 note' }] } })
if (status === 'crash') process.kill(process.pid, 'SIGKILL')
else writeFileSync(log, '---\\nstatus: ' + status + '\\nrun: ' + run + '\\n---\\n')
`

/** This Claude Code executes what it likes, and cites nothing. */
export const byItself = ['--executor=agent', '--min-assurance=claimed']

/** A project with this Claude Code on its PATH. */
export interface DocumentProject extends AsyncDisposable {
  readonly project: Project
  /** `mdtest` with these arguments. */
  run(command: string, ...args: readonly string[]): Promise<Finished>
  vitest(...args: readonly string[]): Promise<Finished>
}

export async function projectOfDocuments(
  files: Readonly<Record<string, string>>,
  program = claude,
): Promise<DocumentProject> {
  const project = await createProject({ 'bin/claude': program, 'bin/package.json': '{}\n', ...files })
  await chmod(project.path('bin/claude'), 0o755)
  const env = { PATH: `${project.path('bin')}:${process.env.PATH}` }
  return {
    project,
    run: (command, ...args) => project.mdtest([command, ...args, ...(command === 'run' ? byItself : [])], { env }),
    vitest: (...args) => project.vitest(args, { env }),
    [Symbol.asyncDispose]: () => project[Symbol.asyncDispose](),
  }
}
