import type { AgentCall, CommandCall, ServiceCall } from '../../records/agent-call.ts'
import type { Obstacle } from './piece.ts'
import { mentions, stateSetBy, uses } from './shell-state.ts'

/** What is around the lasting shell of an agent. */
export interface ShellSurroundings {
  /** Whether programs see a variable that is set without `export`. */
  isExported(name: string): boolean
  /** All commands of the spec itself that are executed when the agent has done a step (id). */
  behind(step: string): string
}

interface Lasting {
  /** Whose effects on the shell later commands need. */
  readonly commands: ReadonlySet<AgentCall>
  readonly obstacles: readonly Obstacle[]
}

/**
 * Finds commands of a lasting shell that have to be repeated in the shell of the recording, since later ones need what they
 * set there. One whose effects others would find there, too, is an obstacle.
 */
export function lastingCommands(
  calls: readonly AgentCall[],
  { isExported, behind, isKept }: ShellSurroundings & { readonly isKept: (call: AgentCall) => boolean },
): Lasting {
  const all = calls.flatMap((call) => (isOfShell(call) ? [call] : []))
  const commands = new Set<AgentCall>()
  const obstacles: Obstacle[] = []
  for (const [index, call] of [...all.entries()].toReversed()) {
    if (call.kind === 'command' && needsPlace.test(call.command) && isKept(call)) {
      obstacles.push({ step: call.step, code: 'NOT_ELIGIBLE', why: needsPlaceMessage(call) })
    }
    if (call.kind !== 'command') continue
    const { names, isForAll: isOpen } = stateSetBy(call.command)
    const isForAll = isOpen || names.some(isExported)
    const later = all.slice(index + 1)
    const kept = later.filter((one) => isKept(one) || commands.has(one))
    const isNeeded = kept.some(
      (one) => one.shell === call.shell && (isForAll || names.some((name) => uses(one.command, name))),
    )
    if (!isNeeded) continue
    commands.add(call)
    const others = [behind(call.step), ...kept.flatMap((one) => (one.shell === call.shell ? [] : [one.command]))]
    const text = others.join('\n').trim()
    if (isForAll ? text !== '' : names.some((name) => mentions(text, name))) {
      obstacles.push({ step: call.step, code: 'NOT_ELIGIBLE', why: foundByOthers(call) })
    }
  }
  return { commands, obstacles: obstacles.toReversed() }
}

function isOfShell(call: AgentCall): call is CommandCall | ServiceCall {
  return (call.kind === 'command' || call.kind === 'service') && call.shell !== undefined
}

/** Begins by going where an earlier command was. */
const needsPlace = /^\s*(?:popd\b|dirs\b|cd\s+-(?=[\s;&|]|$))|^[^\n;&|]*(?:\$\{?OLDPWD\b|\s~-)/

function needsPlaceMessage({ command }: CommandCall): string {
  return `\`${command}\` goes by where an earlier command was. Say in the step which folder it means.`
}

function foundByOthers({ command }: CommandCall): string {
  return `\`${command}\` set something in the shell that later commands of the agent need, and commands of the spec behind them would find it there in a replay. Say in the step to set it in each command that needs it.`
}
