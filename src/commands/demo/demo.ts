import { createRequire } from 'node:module'
import { mkdtempSync, realpathSync } from 'node:fs'
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { codingAgents } from '../../agents/registry.ts'
import { resolveAgent } from '../../agents/resolve-agent.ts'
import { removeTemporary } from '../../system/files/remove-files.ts'
import { ownCommand, ownFile } from '../../system/mdtest-package.ts'
import { command, flag, type CommandSyntax } from '../common/define-command.ts'
import { exitCodes, interruptedBy, SetUpError } from '../common/cli.ts'
import { knownName } from '../common/flags.ts'
import { createTeller, runMdtest } from './run-mdtest.ts'
import { tellStory, type DemoFolder } from './story.ts'

/** Agents whose own shell can be switched off, so that the demo needs no sandbox. */
const agentNames = codingAgents.filter(({ confinement }) => confinement === 'own').map(({ name }) => name)

export const demoSyntax = {
  command: 'demo',
  usage: ['[options]'],
  about: `Shows what mdtest does, in half a minute and without a coding agent: a script stands in for it. Works in a temporary
folder, which it removes.`,
  flags: {
    agent: flag('-a, --agent NAME', `a real agent instead of the script, with your login: ${agentNames.join(' or ')}`, {
      read: knownName('agent', agentNames),
    }),
    out: flag('--out DIR', 'keep the HTML report in DIR'),
  },
  isFlagsOnly: true,
  examples: [''],
  exitCodes:
    '0 all results as announced, failures included, 1 a result differed, 2 nothing could be shown, 130/143 interrupted.',
} satisfies CommandSyntax

export const demo = command(demoSyntax, async ({ agent, out }, cli) => {
  const { cwd, env, signal, stdout } = cli
  if (agent !== undefined) {
    const resolved = resolveAgent(agent, { path: env.PATH ?? '', cwd })
    if (!resolved.ok) throw new SetUpError(resolved.error.message)
  }
  // Each scene runs specs, so fail now if Vitest is missing.
  createRequire(import.meta.url).resolve('vitest/package.json')
  const teller = createTeller(cli)
  const folder = await makeDemoFolder(agent)
  try {
    const reportDir = out === undefined ? 'report' : resolve(cwd, out)
    const isAsTold = await tellStory({
      ...{ folder, agent, reportDir, teller, signal },
      run: (words, from) => runMdtest(words, { env, signal, dir: folder.dir, teller, from }),
    })
    if (signal.aborted) return interruptedBy(signal)
    teller.tell(
      isAsTold
        ? `That was all, and every result was as announced. Continue with a spec of your own: \`${ownCommand} init\`. How the script works:
\`${ownCommand} docs scripted-agent\`.`
        : 'Some results were not as announced: see above.',
    )
    stdout.write(
      out === undefined
        ? `Everything was in a temporary folder, which is gone now. To keep the report: ${ownCommand} demo --out demo-report\n`
        : `The report, for your browser:\n${join(reportDir, 'index.html')}\n`,
    )
    return exitCodes.demo[isAsTold ? 'as-told' : 'otherwise']
  } finally {
    folder.remove()
  }
})

const savingLine = 'store.write(notes.map((note, i) => (i === index ? { ...note, done: true } : note)))'

/** @param agent replaces the scripted agent in the scenes `works` and `forgets` */
async function makeDemoFolder(agent: string | undefined): Promise<DemoFolder> {
  const ownFolder = dirname(ownFile('vitest-mdtest/package.json'))
  const example = join(ownFolder, 'examples/notes')
  const read = (name: string): Promise<string> => readFile(join(example, name), 'utf8')
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'mdtest-demo-')))
  const dir = join(base, 'notes')
  const remove = (): void => removeTemporary(base)
  try {
    await mkdir(join(dir, 'node_modules'), { recursive: true })
    await symlink(ownFolder, join(dir, 'node_modules/vitest-mdtest'))
    for (const name of ['vitest.config.mjs', 'scripted-agent.mjs']) await cp(join(example, name), join(dir, name))
    const program = await read('notes.mjs')
    const store = await read('store.mjs')
    const spec = await read('specs/tick-off.test.md')
    const script = await read('specs/tick-off.script.json')
    for (const scene of ['works', 'forgets', 'lies']) {
      const keys = [`cwd: ${scene}`, ...(agent === undefined || scene === 'lies' ? [] : [`agent: ${agent}`])]
      const files = {
        'notes.mjs': scene === 'forgets' ? program.replace(savingLine, '') : program,
        'store.mjs': store,
        'tick-off.test.md': spec.replace('---\n', `---\n${keys.join('\n')}\n`),
        'tick-off.script.json': scene === 'lies' ? pretending(script) : script,
      }
      await mkdir(join(dir, scene))
      for (const [name, text] of Object.entries(files)) await writeFile(join(dir, scene, name), text)
    }
    return { dir, spec, savingLine, remove }
  } catch (error: unknown) {
    remove()
    throw error
  }
}

function pretending(script: string): string {
  const acts: Readonly<Record<string, object>> = JSON.parse(script)
  const lies = Object.entries(acts).map(([title, act]) => [title, { ...act, pretend: true }])
  return `${JSON.stringify(Object.fromEntries(lies), undefined, 2)}\n`
}
