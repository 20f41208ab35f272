import { bareText } from '../../system/text/shell-spans.ts'

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
