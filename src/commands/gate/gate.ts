import { dirname, join, resolve } from 'node:path'
import { interruptedBy, type CommandEnding } from '../common/exit-code.ts'
import { suiteRoot } from '../common/suite.ts'
import type { CliContext } from '../common/cli-context.ts'
import { type GateRequest, gateSyntax, parseGateFlags } from './flags.ts'
import { formatHelp } from '../common/command.ts'
import { run } from './run.ts'
import { verify } from './evidence.ts'
import { gateEnvironment } from './run-gates.ts'
import { findHook, installHook, removeHook } from './hook.ts'
import { readGateConfig } from '../project-config/read-gate-config.ts'
import { ownFile } from '../../system/own-package.ts'

export async function gate(args: readonly string[], cli: CliContext): Promise<CommandEnding> {
  const flags = parseGateFlags(args)
  if (flags.help) {
    cli.stdout.write(formatHelp(gateSyntax))
    return { command: 'gate', end: 'passed' }
  }
  const root = await suiteRoot(flags.dir, cli.cwd)
  const file = flags.config === undefined ? undefined : resolve(cli.cwd, flags.config)
  const isGreen = await act({ flags, root, file }, cli)
  if (cli.signal.aborted) return interruptedBy(cli.signal)
  return { command: 'gate', end: isGreen ? 'passed' : 'failed' }
}

async function act(asked: GateRequest, cli: CliContext): Promise<boolean> {
  switch (asked.flags.action) {
    case 'run':
      return await run(asked, cli)
    case 'verify':
      return await verify(asked, cli)
    default:
      cli.stdout.write(await changeHook(asked, cli))
      return true
  }
}

async function changeHook({ flags, root, file: configFile }: GateRequest, { env }: CliContext): Promise<string> {
  // A hook without gates would refuse every commit.
  if (flags.action === 'add-hook') await readGateConfig({ root, file: configFile })
  const place = await findHook(root, gateEnvironment(env))
  const file = join(place.folder, 'pre-commit')
  if (flags.action === 'remove-hook')
    return `${file} ${(await removeHook(place)) ? 'does not run the gates any more' : 'did not run the gates'}.\n`
  const machine = { nodeFolder: dirname(process.execPath), program: ownFile('#bin') }
  const others = await installHook(place, { root, configFile, machine })
  const left = others.map((other) => `${other} is yours and stays: what git commits by it no gate sees.\n`)
  return `${file} runs the gates before each commit.\n${left.join('')}`
}
