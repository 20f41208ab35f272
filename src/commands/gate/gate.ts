import { resolve } from 'node:path'
import { interruptedBy, type CommandEnding } from '../common/exit-code.ts'
import { suiteRoot } from '../common/suite-root.ts'
import type { Surroundings } from '../common/surroundings.ts'
import type { Asked } from './asked.ts'
import { gateSyntax, parseGateFlags, type GateFlags } from './flags.ts'
import { formatHelp } from '../common/format-help.ts'
import { addHook, takeHook } from './hook.ts'
import { run } from './run.ts'
import { verify } from './verify.ts'

/**
 * `mdtest gate`: runs the gates of a project, judges evidence of others, or has git run them.
 * @throws {SetUpError} for wrong use.
 * @throws MdtestError for a wrong configuration.
 */
export async function gate(args: readonly string[], surroundings: Surroundings): Promise<CommandEnding> {
  const flags = parseGateFlags(args)
  if (flags.help) {
    surroundings.stdout.write(formatHelp(gateSyntax))
    return { command: 'gate', end: 'passed' }
  }
  const root = await suiteRoot(flags.dir, surroundings.cwd)
  const file = flags.config === undefined ? undefined : resolve(surroundings.cwd, flags.config)
  const own = { flags, root, file }
  const isGreen = await acts[flags.action](own, surroundings)
  const { signal } = surroundings
  if (signal.aborted) return interruptedBy(signal)
  return { command: 'gate', end: isGreen ? 'passed' : 'failed' }
}

type Act = (asked: Asked, surroundings: Surroundings) => Promise<boolean>

const acts: Readonly<Record<GateFlags['action'], Act>> = {
  run,
  verify,
  'add-hook': addHook,
  'remove-hook': takeHook,
}
