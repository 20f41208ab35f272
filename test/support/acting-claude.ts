import { chmod } from 'node:fs/promises'
import { createProject, plainConfig, type Project } from './create-project.ts'

const reportClient = new URL('report-client.mjs', import.meta.url).href

interface ActingClaude {
  readonly project: Project
  /** PATH, on which the program is `claude`. */
  readonly env: Readonly<Record<string, string>>
}

/**
 * A project whose agent is a program named `claude`. `acts` says in JavaScript what it does for each spec, by the name of
 * the spec; in scope are `report(step, status)`, which tells mdtest, `wait(ms)`, `forever()`, `log`, `writeLog(status)`,
 * and `start`, the number of the start for this spec, from 1.
 */
export async function projectWithActingClaude(
  acts: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>>,
  options = '',
): Promise<ActingClaude> {
  const cases = Object.entries(acts).map(([name, code]) => `  ${JSON.stringify(name)}: async () => {\n${code}\n  },\n`)
  const project = await createProject({
    'vitest.config.js': plainConfig.replace(
      'mdtest()',
      `mdtest({ agent: 'claude', executor: 'agent', minAssurance: 'claimed', ${options} })`,
    ),
    'bin/claude': `#!${process.execPath}
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { reportStep } from ${JSON.stringify(reportClient)}
const prompt = process.argv.at(-1)
const [, name] = /^Specification: .*?([\\w-]+)\\.test\\.md$/m.exec(prompt)
const [, log] = /^Result log: (.*)$/m.exec(prompt)
const [run] = /[0-9a-f]{32}/.exec(prompt)
appendFileSync('starts-' + name, run + '\\n')
const start = readFileSync('starts-' + name, 'utf8').split('\\n').length - 1
const say = (line) => console.log(JSON.stringify(line))
const report = (step, status) => reportStep({ step, status })
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const forever = () => new Promise(() => setInterval(() => {}, 1000))
const writeLog = (status) => writeFileSync(log, '---\\nstatus: ' + status + '\\nrun: ' + run + '\\n---\\n')
const acts = {
${cases.join('')}}
await acts[name]()
`,
    'bin/package.json': '{ "type": "module" }\n',
    ...files,
  })
  await chmod(project.path('bin/claude'), 0o755)
  return { project, env: { PATH: `${project.path('bin')}:${process.env.PATH}` } }
}
