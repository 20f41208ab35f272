import { chmod } from 'node:fs/promises'
import { createProject, type Project } from './create-project.ts'

/** A program named `claude` that prints the stream of Claude Code for one command, works for `WORK_MS` and passes. */
const program = `#!${process.execPath}
import { writeFileSync } from 'node:fs'
const log = /^Result log: (.*)$/m.exec(process.argv.at(-1))[1]
const run = /[0-9a-f]{32}/.exec(process.argv.at(-1))[0]
const say = (line) => console.log(JSON.stringify(line))
say({ type: 'system', subtype: 'init', session_id: '0', model: 'model-1' })
const command = 'npm run shop -- add mug'
say({ type: 'assistant', message: { content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command } }] } })
const beat = setInterval(() => say({ type: 'system', subtype: 'other' }), 500)
setTimeout(() => {
  clearInterval(beat)
  const content = 'added mug\\n\\u001b[2J'
  say({ type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 't1', content }] } })
  const steps = 'steps:\\n  - { id: 1-add-a-mug, status: pass, observed: the cart holds a mug, evidence: [{ quote: added mug }] }'
  writeFileSync(log, '---\\nstatus: pass\\nrun: ' + run + '\\n' + steps + '\\n---\\n\\nDone.\\n')
}, Number(process.env.WORK_MS ?? 0))
`

/** A project with one spec that this program carries out. PATH is in `env`. */
export async function projectWithScriptedClaude(
  options = '',
): Promise<{ readonly project: Project; readonly env: Readonly<Record<string, string>> }> {
  const project = await createProject({
    'vitest.config.js': `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest({ agent: 'claude', executor: 'agent', ${options} })] }\n`,
    'bin/claude': program,
    'bin/package.json': '{ "type": "module" }\n',
    'shop.test.md': '# Shop\n\n## Add a mug\n\nPut a mug into the cart.\n',
  })
  await chmod(project.path('bin/claude'), 0o755)
  return { project, env: { PATH: `${project.path('bin')}:${process.env.PATH}` } }
}
