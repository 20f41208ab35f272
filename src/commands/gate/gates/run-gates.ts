import { formatElapsed } from '../../../system/text/format-elapsed.ts'
import { plainLine } from '../../../system/text/plain-text.ts'
import type { GateConfig } from '../../project-config/gate-config.ts'
import type { GateContext } from './gate-context.ts'
import { gateNames, type GateName } from '../../project-config/gate-names.ts'
import { runGate, type GateRun } from './run-gate.ts'

/** How the gates went; without those that have no command. */
export type GateRuns = Readonly<Partial<Record<GateName, GateRun>>>

/**
 * Runs all gates in order. One that fails does not keep the next from running: what does not compile can still be
 * linted, and whoever fixes it wants to know all.
 *
 * @param options.run 1 for the first time
 */
export async function runGates(
  commands: GateConfig['commands'],
  { run, context }: { readonly run: number; readonly context: GateContext },
): Promise<GateRuns> {
  const runs: Partial<Record<GateName, GateRun>> = {}
  for (const name of gateNames) {
    const command = commands[name]
    if (command === undefined || context.signal.aborted) continue
    context.onProgress(`${name}: ${plainLine(command.shown)}`)
    const gateRun = await runGate(name, { command, run, context })
    context.onProgress(`${name}: ${gateRun.isPass ? 'pass' : 'fail'} after ${formatElapsed(gateRun.durationMs)}`)
    runs[name] = gateRun
  }
  return runs
}

export function areGreen(runs: GateRuns): boolean {
  return Object.values(runs).every(({ isPass }) => isPass)
}
