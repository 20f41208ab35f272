import { bareText } from '../../system/text/shell-spans.ts'
import type { Obstacle } from './piece.ts'
import type { AgentCall, CommandCall, ServiceCall } from '../../records/agent-call.ts'

/** What may stand in front of the name of a command. */
const start = String.raw`(?:^|[\n;&|(){])\s*(?:(?:if|then|elif|else|while|until|do|time|command|builtin|!)\s+)*`
const moving = 'cd|pushd|popd'
/** What they change counts for all that comes. */
const forAll =
  'export|set|unset|alias|unalias|shopt|trap|exec|umask|ulimit|declare|typeset|readonly|source|eval|enable|hash'
const assignment = String.raw`[A-Za-z_]\w*(?:\[[^\]\s]*\])?\+?=(?:\([^()]*\)|[^\s;&|()])*`
const assignments = String.raw`${assignment}(?:\s+${assignment})*\s*(?=[;\n&|)}]|$)`
const functionName = String.raw`(?:function\s+)?([A-Za-z_][\w-]*)\s*\(\)`
const end = String.raw`(?=[\s;&|)]|$)`

/** Commands after which a lasting shell is another one; for the bare text of a command. */
export const changesShell = new RegExp(
  String.raw`${start}(?:(?:${moving}|${forAll}|exit|\.|${functionName})${end}|${assignments})`,
)

const changesForAll = new RegExp(String.raw`${start}(?:${forAll}|\.)${end}`)
const moves = new RegExp(String.raw`${start}(?:${moving})${end}`)

/** Whether a shell is in another directory after a command. */
export function movesShell(command: string): boolean {
  return moves.test(ownText(command))
}

/** What a command sets in the shell that executes it, as far as its text tells. */
export interface SetState {
  /** Variables and functions. */
  readonly names: readonly string[]
  /** Something that counts for all that comes, whatever it names: exported variables, options, traps. */
  readonly isForAll: boolean
}

/** Never throws. */
export function stateSetBy(command: string): SetState {
  const bare = ownText(command)
  const assigned = [...bare.matchAll(new RegExp(`${start}(${assignments})`, 'g'))].flatMap(([, text = '']) => [
    ...text.matchAll(/([A-Za-z_]\w*)(?:\[[^\]\s]*\])?\+?=(?:\([^()]*\)|\S)*/g),
  ])
  const found = [
    ...assigned,
    ...bare.matchAll(new RegExp(functionName, 'g')),
    ...bare.matchAll(/\bfunction\s+([A-Za-z_][\w-]*)/g),
    ...bare.matchAll(/\b(?:for|select)\s+([A-Za-z_]\w*)/g),
    ...bare.matchAll(/\bprintf\s+-v\s*([A-Za-z_]\w*)/g),
    ...command.matchAll(/\$\{([A-Za-z_]\w*):?=/g),
    ...[...command.matchAll(/\(\(([^()]*)\)\)/g)].flatMap(([, sum = '']) => [
      ...sum.matchAll(/([A-Za-z_]\w*)\s*(?:[-+*/%]?=(?!=)|\+\+|--)/g),
    ]),
  ].flatMap(([, name]) => name ?? [])
  const read = [...bare.matchAll(/\b(?:read|mapfile|readarray|getopts|let)\b([^;\n&|()<>]*)/g)].flatMap(
    ([, words = '']) => ['REPLY', 'MAPFILE', ...(words.match(/\b[A-Za-z_]\w*/g) ?? [])],
  )
  return { names: [...new Set([...found, ...read])], isForAll: changesForAll.test(bare) }
}

/** Whether a command does something with a variable or function, and has not set it anew before. */
export function uses(command: string, name: string): boolean {
  const value = String.raw`(?:'[^']*'|"[^"$\x60]*"|[^\s;&|()'"$\x60]+)?`
  const anew = new RegExp(String.raw`^\s*(?:${name}=${value}\s*(?:;|\n|&&|$)|for\s+${name}\s+in\s[^;\n$\x60]*[;\n])`)
  return !anew.test(command) && mentions(command, name)
}

/** Whether a text of commands may mean a variable or function. */
export function mentions(text: string, name: string): boolean {
  const asVariable = String.raw`\$\{?[#!]?${name}(?!\w)`
  const inSum = String.raw`\(\([^)]*(?<!\w)${name}(?!\w)`
  const asWord = String.raw`(?<![^\s;&|(){}!])${name}(?=[\s;&|(){}=+[]|$)`
  return new RegExp(`${asVariable}|${inSum}|${asWord}`).test(text)
}

/** The bare text without what stands in subshells. */
function ownText(command: string): string {
  let text = bareText(command).replace(/\$?\(\([^()]*\)\)/g, ' ')
  for (let before = ''; before !== text;) {
    before = text
    text = text.replace(/(^|[\s;&|!{(])\(\s*[^()\s][^()]*\)/g, '$1:')
  }
  return text
}

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
