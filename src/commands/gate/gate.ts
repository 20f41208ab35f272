import { resolve, dirname } from 'node:path'
import { interruptedBy, type CommandEnding } from '../common/exit-code.ts'
import { suiteRoot } from '../common/suite.ts'
import type { CliContext } from '../common/cli-context.ts'
import { type GateRequest, gateSyntax, parseGateFlags, type GateFlags } from './flags.ts'
import { formatHelp } from '../common/command.ts'
import { run } from './run.ts'
import { verify } from './verify.ts'
import { gateEnvironment } from './run-gates.ts'
import { findHook, installHook, removeHook } from './hook.ts'
import { readGateConfig } from '../project-config/read-gate-config.ts'
import { ownFile } from '../../system/own-package.ts'

async function addHook({ root, file }: GateRequest, { env, stdout }: CliContext): Promise<boolean> {
  // A hook without gates would refuse every commit.
  await readGateConfig({ root, file })
  const place = await findHook(root, gateEnvironment(env))
  await installHook(place, {
    root,
    configFile: file,
    machine: { nodeFolder: dirname(process.execPath), program: ownFile('#bin') },
  })
  stdout.write(`${place.file} runs the gates before each commit.\n`)
  return true
}

async function takeHook({ root }: GateRequest, { env, stdout }: CliContext): Promise<boolean> {
  const place = await findHook(root, gateEnvironment(env))
  const wasThere = await removeHook(place)
  stdout.write(wasThere ? `${place.file} does not run the gates any more.\n` : `${place.file} did not run the gates.\n`)
  return true
}

/**
 * `mdtest gate`: runs the gates of a project, judges evidence of others, or has git run them.
 * @throws {SetUpError} for wrong use.
 * @throws MdtestError for a wrong configuration.
 */
export async function gate(args: readonly string[], cli: CliContext): Promise<CommandEnding> {
  const flags = parseGateFlags(args)
  if (flags.help) {
    cli.stdout.write(formatHelp(gateSyntax))
    return { command: 'gate', end: 'passed' }
  }
  const root = await suiteRoot(flags.dir, cli.cwd)
  const file = flags.config === undefined ? undefined : resolve(cli.cwd, flags.config)
  const own = { flags, root, file }
  const isGreen = await acts[flags.action](own, cli)
  const { signal } = cli
  if (signal.aborted) return interruptedBy(signal)
  return { command: 'gate', end: isGreen ? 'passed' : 'failed' }
}

type Act = (asked: GateRequest, cli: CliContext) => Promise<boolean>

const acts: Readonly<Record<GateFlags['action'], Act>> = {
  run,
  verify,
  'add-hook': addHook,
  'remove-hook': takeHook,
}
