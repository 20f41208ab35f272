import { join, resolve } from 'node:path'
import { codingAgents } from '../../agents/registry.ts'
import { resolveAgent } from '../../agents/resolve-agent.ts'
import { ownCommand } from '../../system/own-package.ts'
import { command, flag, type CommandSyntax } from '../common/command.ts'
import { interruptedBy } from '../common/exit-code.ts'
import { nameOf } from '../common/flags.ts'
import { SetUpError } from '../common/set-up-error.ts'
import { makeDemoFolder } from './demo-folder.ts'
import { createTeller, runMdtest } from './run-mdtest.ts'
import { tellStory } from './story.ts'

/** Agents that mdtest can keep from the program without a sandbox. */
const agentNames = codingAgents.filter(({ confinement }) => confinement === 'own').map(({ name }) => name)

export const demoSyntax = {
  command: 'demo',
  usage: ['[options]'],
  about: `Shows what mdtest does, in half a minute and without a coding agent: a script stands in for it. Works in a temporary
folder, and leaves nothing.`,
  flags: {
    agent: flag(
      '-a, --agent NAME',
      `a coding agent in place of the script: ${agentNames.join(' or ')}; it uses your login`,
      { read: nameOf('agent', agentNames) },
    ),
    out: flag('--out DIR', 'keep the HTML report, in DIR'),
  },
  isFlagsOnly: true,
  examples: [''],
  exitCodes:
    '0 all went as told, red parts included, 1 something did not, 2 nothing could be shown, 130/143 interrupted.',
} satisfies CommandSyntax

/**
 * `mdtest demo`: the main job, told in five parts.
 * @throws {SetUpError} if the agent is not there.
 */
export const demo = command(demoSyntax, async ({ agent, out }, cli) => {
  const { cwd, env, signal, stdout } = cli
  if (agent !== undefined) {
    const resolved = resolveAgent(agent, { path: env.PATH ?? '', cwd })
    if (!resolved.ok) throw new SetUpError(resolved.error.message)
  }
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
        ? `That was all, and it went as told. Go on with a spec of your own: \`${ownCommand} init\`. How the script works:
\`${ownCommand} docs scripted-agent\`.`
        : 'Not all of it went as told: see above.',
    )
    stdout.write(
      out === undefined
        ? `All was in a temporary folder, which is gone now. To keep the report: ${ownCommand} demo --out demo-report\n`
        : `The report, for your browser:\n${join(reportDir, 'index.html')}\n`,
    )
    return { command: 'demo', end: isAsTold ? 'as-told' : 'otherwise' }
  } finally {
    folder.remove()
  }
})
