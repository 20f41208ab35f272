import { isInRoots, isNamed, pathsOf, show, type Judged } from './judging.ts'
import type { Given } from './line/words.ts'
import { isSteering, isVariableName } from './variables.ts'

/** Commands of the shell that run or keep code, or change what later commands mean. Only to the letter does a rule allow them. */
const changing: ReadonlySet<string> = new Set(
  `eval source . exec trap alias unalias enable hash coproc let mapfile readarray bind complete compgen compopt shopt set
  builtin fc history logout suspend getopts caller dirs pushd popd ulimit umask`.split(/\s+/),
)

/** Whether only the shell itself can do what this command is meant to do. */
export function isOfShellAlone(program: string): boolean {
  return changing.has(program) || /^(?:cd|export|declare|typeset|local|readonly|unset|read)$/.test(program)
}

/** `true`: the command is the shell's own and was judged here, whether it was refused or not. */
export function judgeShell(judged: Judged, program: string, args: readonly Given[]): boolean {
  if (program === 'cd') {
    judgeDirectory(judged, args)
    return true
  }
  if (/^(?:export|declare|typeset|local|readonly)$/.test(program)) return judgeDeclaration(judged, program, args)
  if (program === 'unset') return judgeNames(judged, program, withoutOptions(args, /^-v$/))
  if (program === 'read') {
    const names = readNames(args)
    if (names === undefined) return refuseChange(judged, program)
    return judgeNames(judged, program, names)
  }
  // It says which exit code counts, and nothing else.
  if (program === 'set' && /^[-+]o pipefail$/.test(args.map(({ value }) => value).join(' '))) return true
  if (!changing.has(program)) return false
  if (!judged.isExact && !isNamedWhole(judged, program)) return refuseChange(judged, program)
  // Where it leads nobody knows.
  judged.scope.cwds = undefined
  return false
}

/** Settings are no code: a rule that names them is enough. */
function isNamedWhole(judged: Judged, program: string): boolean {
  return /^(?:set|shopt|ulimit|umask|pushd|popd|dirs|history)$/.test(program) && isNamed(judged, program)
}

function refuseChange({ judging, shown }: Judged, program: string): true {
  judging.refuse(
    `${show(program)} runs code of your own or changes what later commands mean. ` +
      `Run the commands themselves; else a rule has to hold the whole command: \`allow: [${JSON.stringify(`Bash(${shown.slice(1, -1)})`)}]\`.`,
  )
  return true
}

function judgeDirectory({ judging, scope, matching }: Judged, args: readonly Given[]): void {
  const { options, refuse } = judging
  const [target] = args.filter(({ value }) => value === undefined || !/^-[LPe]*$/.test(value) || value === '-')
  if (target?.value === '-') {
    scope.cwds = undefined
    return
  }
  const home = scope.valuesOf('HOME')?.[0]
  const place = target ?? { text: '~', value: home, isPattern: false, isPipe: false, isOne: true }
  const paths = pathsOf(place, scope)
  if (paths === undefined || place.isPattern)
    return refuse(`Where \`cd ${place.text}\` leads cannot be known: write the path out.`)
  const outside = paths.find((path) => !isInRoots(path, options))
  if (outside !== undefined && !matching.some(({ isForAll }) => isForAll)) {
    return refuse(
      `\`cd ${place.text}\` leads out of the folders of the scenario: ${options.roots.join(', ')}. Stay in them: \`$MDTEST_SCRATCH\` is yours.`,
    )
  }
  scope.cwds = paths
}

function judgeDeclaration(judged: Judged, program: string, args: readonly Given[]): boolean {
  // Without a name it prints what the shell knows, secrets included.
  if (args.every(({ value }) => value?.startsWith('-') === true)) return false
  const options = args.filter(({ value }) => value?.startsWith('-') === true)
  if (options.some(({ value }) => !/^-[gxrp]+$/.test(value ?? ''))) return refuseChange(judged, program)
  return judgeNames(judged, program, withoutOptions(args, /^-[gxrp]+$/))
}

function withoutOptions(args: readonly Given[], options: RegExp): readonly Given[] {
  return args.filter(({ value }) => value === undefined || !options.test(value))
}

/** Names whose variables a command sets, alone or with a value. */
function judgeNames(judged: Judged, program: string, args: readonly Given[]): true {
  for (const { text, value } of args) {
    const [, name = ''] = /^(\w+)(?:\+?=|$)/.exec(value ?? text) ?? []
    if (!isVariableName(name)) {
      judged.judging.refuse(`Which variable \`${program} ${text}\` sets cannot be known: write its name out.`)
      return true
    }
    if (judgeVariable(judged, name, text)) return true
    if (program === 'read' || program === 'unset') judged.scope.set(name, undefined)
  }
  return true
}

/** Whether a variable may be set. `true`: it was refused. */
export function judgeVariable(
  judged: Pick<Judged, 'judging' | 'matching' | 'isExact'>,
  name: string,
  text: string,
): boolean {
  const { options, refuse } = judged.judging
  const isKnown = Object.hasOwn(options.variables ?? {}, name)
  if ((!isKnown && !isSteering(name)) || isNamed(judged, text)) return false
  const rule = `Bash(${text} *)`
  refuse(
    `The variable ${show(name)} decides what programs do or load, so a rule has to hold ${show(text)} to the letter.`,
    isKnown ? undefined : rule,
  )
  return true
}

/** The names that `read` sets; `undefined` where that cannot be told. */
function readNames(args: readonly Given[]): readonly Given[] | undefined {
  const names: Given[] = []
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at]
    const { value } = arg ?? {}
    if (arg === undefined || value === undefined) return undefined
    if (/^-[rse]*[dnNptu]$/.test(value)) at += 1
    else if (/^-[rse]*a$/.test(value)) continue
    else if (!/^-(?:[rs]+|[rs]*[dnNptu].+)$/s.test(value)) names.push(arg)
  }
  return names
}
