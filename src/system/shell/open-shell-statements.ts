// The bash code that drives a shell. It must work in bash 3.2 (macOS), with any options, aliases and functions of the
// user. Each statement is one physical line, so that bash counts the lines of the user's code from 1.

import { quoteForBash, quoteRegex } from '../text/shell-and-regex-quotes.ts'
import { armVariable } from './watched-code.ts'

/** Bash reads statements and writes reports on this descriptor. The number is high to avoid the user's descriptors. */
const controlFd = 199
const stdoutFd = 198
const stderrFd = 197
const trapFd = 196
const toNull = `\\exec ${stdoutFd}>/dev/null ${stderrFd}>/dev/null`
const report = (words: string): string => `\\builtin echo ${words} >&${controlFd}`

export interface ShellFiles {
  readonly stateFile: string
  readonly statementFile: string
  readonly overridesFile: string
  readonly trapFile: string
  readonly unstartedFile: string
  readonly checkpointFile: string
}

export interface DriverFiles extends ShellFiles {
  readonly savedFile: string | undefined
  readonly marks: string
  readonly isStrict: boolean
}

/** The main loop of bash. An empty message announces a statement in the file: bash reads a socket slowly, byte by byte. */
export function formatDriver({ stateFile, savedFile, trapFile, statementFile, marks, isStrict }: DriverFiles): string {
  return [
    `exec ${controlFd}<&0 </dev/null; ${toNull}`,
    savedFile === undefined
      ? '\\builtin shopt -s expand_aliases'
      : `\\builtin . ${quoteForBash(savedFile)} 2>/dev/null; \\builtin export MDTEST_MARKS=${quoteForBash(marks)}`,
    '\\builtin unset __mdtest_s',
    ...(isStrict ? ['\\builtin set -u'] : []),
    `\\builtin trap ${quoteForBash(formatSave(stateFile))} EXIT`,
    // Without `TMOUT=`, a timeout that the user has set would end the `read`.
    `while ${formatStrictCleanUp(trapFile)}; IFS= TMOUT= \\builtin read -r -d '' -u ${controlFd} __mdtest_c`,
    `do [[ -n $__mdtest_c ]] || IFS= \\builtin read -r -d '' __mdtest_c <${quoteForBash(statementFile)}`,
    '\\builtin eval "$__mdtest_c"',
    'done',
    report('left'),
  ].join('; ')
}

/** Current line of the user's code; in a function or a sourced file, the line of the call. */
const lineOfCall = '${BASH_LINENO[${#BASH_LINENO[@]}-1]}'

/** Records the line of a failure. Ignores the driver's own `eval`, which fails if the code ends with `false && :`. */
const onError = [
  '{ __mdtest_q=$?; if [[ $- == *e* ]]; then __mdtest_f=$__mdtest_q; fi',
  'if [[ $- == *e* && $BASH_COMMAND != "\\\\builtin eval "* ]]; then __mdtest_l=$LINENO',
  // `watchedCode` inserts this assignment before a pipe whose line bash does not know.
  'if [[ $BASH_COMMAND == __mdtest_i=* ]]; then __mdtest_l=$__mdtest_i; fi',
  `if [[ \${#BASH_LINENO[@]} -gt 0 ]]; then __mdtest_l=${lineOfCall}; fi; fi; } 2>/dev/null`,
].join('; ')

const ownTrap = `${onError}; { (\\builtin exit "$__mdtest_q") && :; } 2>/dev/null; `

/** After `set -v` bash prints the code that it reads. Returns the output with the user's lines in place of ours. */
export function withUserLines(output: string, { code, executed }: Pick<Statement, 'code' | 'executed'>): string {
  if (!output.includes('__mdtest_')) return output
  const lines = code.split('\n')
  const changed = executed
    .split('\n')
    .map((line, at) => [line, lines[at] ?? line] as const)
    .filter(([ours, own]) => ours !== own)
  const shown = changed.reduce((text, [ours, own]) => text.replaceAll(ours, () => own), output)
  return shown.replaceAll(new RegExp(`^${quoteRegex(ownTrap)}\n?`, 'gm'), '')
}

/** Records failures before the user's ERR trap runs. In a function, bash hides an outer trap: do not replace it. */
function formatArm(trapFile: string): string {
  const chained = `${quoteForBash(ownTrap)}"\${__mdtest_k-}"`
  const chain = [
    '\\builtin unset __mdtest_k; \\builtin eval "__mdtest_a=($__mdtest_t)"',
    `[[ -z $__mdtest_t ]] || __mdtest_k=\${__mdtest_a[2]}; \\builtin trap ${chained} ERR`,
  ].join('; ')
  const isNew = '$__mdtest_t != *__mdtest_l=* && ( -n $__mdtest_t || -z ${FUNCNAME+x} )'
  const arm = `${readTrap(trapFile)}; if [[ ${isNew} ]]; then ${chain}; fi`
  const restoreStatus = '[[ $__mdtest_q = 0 ]] || (\\builtin exit "$__mdtest_q") && :'
  return `__mdtest_q=$?; if [[ $BASH_SUBSHELL = 0 ]]; then ${arm}; fi; ${restoreStatus}`
}

/** A failed strict script ends the shell. `__mdtest_o` notes options of the user and of the code, which stay on. */
function formatStrictSetUp({ code, trapFile }: Statement): string {
  // If the code lists traps, set no trap: the code must not see ours. The line of a failure is then unknown.
  const arm = `${armVariable}=${quoteForBash(formatArm(trapFile))}; \\builtin eval "$${armVariable}"; `
  const trap = /\btrap\s*(?:-p|$|[;|&)])/m.test(code) ? '' : arm
  const kept = `${setsErrexit.test(code) ? 'e' : ''}${setsPipefail.test(code) ? '|' : ''}`
  const note = `__mdtest_o=$-${quoteForBash(kept)}; if [[ -o pipefail ]]; then __mdtest_o+='|'; fi; `
  return `${note}${trap}\\builtin set -eo pipefail; `
}

/** Undoes `formatStrictSetUp`. If the run has ended the shell, the next shell runs this. */
function formatStrictCleanUp(trapFile: string): string {
  const steps = [
    '[[ $__mdtest_o == *e* ]] || \\builtin set +e',
    `[[ $__mdtest_o == *'|'* ]] || \\builtin set +o pipefail`,
    `${readTrap(trapFile)}; if [[ $__mdtest_t == *__mdtest_l=* ]]; then \\builtin trap "\${__mdtest_k--}" ERR; fi`,
    '\\builtin unset __mdtest_o __mdtest_l __mdtest_t __mdtest_q __mdtest_f __mdtest_k __mdtest_a __mdtest_i __mdtest_r',
  ]
  return `if [[ -n \${__mdtest_o+x} ]]; then ${steps.join('; ')}; fi`
}

function readTrap(file: string, signal: 'ERR' | 'EXIT' = 'ERR'): string {
  const path = quoteForBash(file)
  // Open with `<>`, because a truncated file is slow to remove. Redirect each command and not the group: otherwise the
  // output of the user's DEBUG trap would be in the file.
  const write = `{ \\builtin trap -p ${signal} >&${trapFd}; \\builtin printf '\\0' >&${trapFd}; } ${trapFd}<>${path}`
  // With `set -o posix`, a trap that is not set is listed with `-`.
  const none = `if [[ $__mdtest_t == 'trap -- - '* ]]; then __mdtest_t=; fi`
  return `${write}; IFS= \\builtin read -r -d '' __mdtest_t <${path} || \\builtin :; ${none}`
}

const setsErrexit = /(?:^|[\s;&|({])set\s(?:[^\n;&|]*\s)?(?:-[a-z]*e|-[a-z]*o\s+errexit\b)/i
const setsPipefail = /(?:^|[\s;&|({])set\s(?:[^\n;&|]*\s)?-[a-z]*o\s+pipefail\b/i

export const stateEndMark = '# saved'
export const lineMark = '# line '
/** Precedes the exit code in the saved state. The user's EXIT trap cannot change this code. */
export const statusMark = '# status '

/**
 * In the saved state, options come first, because they change how functions are parsed. Traps, aliases and errexit
 * come last, because they would disturb the loading. `__mdtest_s` is the exit code.
 */
function formatSave(stateFile: string): string {
  const steps = [
    // If the working directory no longer exists, the new shell ends before its first report.
    '\\builtin printf \'\\\\builtin cd -- %q || \\\\builtin exit 126\\n\' "$PWD"',
    '\\builtin shopt -p',
    '\\builtin declare -p',
    '\\builtin declare -f',
    '\\builtin declare -F',
    `if [[ -z \${FUNCNAME+x} && $# -gt 0 ]]; then \\builtin printf 'set --'; \\builtin printf ' %q' "$@"; \\builtin echo; fi`,
    '\\builtin umask -p',
    '\\builtin trap -p',
    '\\builtin alias -p',
    '\\builtin set +o',
    `\\builtin echo "${statusMark}\${__mdtest_f:-$__mdtest_s}"`,
    `if [[ \${#BASH_LINENO[@]} -gt 0 ]]; then __mdtest_l=${lineOfCall}; fi`,
    `if [[ -n \${__mdtest_l+x} ]]; then \\builtin echo "${lineMark}$__mdtest_l"; fi`,
    `\\builtin echo '${stateEndMark}'`,
  ]
  const save = `[[ -n \${__mdtest_n-} ]] || { ${steps.join('; ')}; } >|${quoteForBash(stateFile)}`
  return `{ __mdtest_s=$?; ${save}; } 2>/dev/null`
}

export const noMoreSaves = '__mdtest_n=1'

export function formatCheckpoint(file: string): string {
  return `if ${formatSave(file)}; then \\builtin :; fi; \\builtin unset __mdtest_s; `
}

export function formatSaveTo(file: string): string {
  return `\\builtin unset __mdtest_c; ${formatCheckpoint(file)}${report('saved')}`
}

/** Linux starts no program if one variable exceeds 128 KiB, and bash is slow with long values. */
const maxValueBytes = 64 * 1024
/** Names that are safe to export. `NODE_OPTIONS` or `CARGO_TARGET_x86_RUNNER` could control programs. */
const exportedName = /^_*[A-Z0-9]*[a-z][A-Za-z0-9_]*$/
const definitionProblem = '__mdtest_u'

/** Never evaluates a value, even after `declare -i`. `__mdtest_u` gets the name of a readonly variable. */
export function formatDefinitions(variables: ReadonlyMap<string, string | undefined>): string {
  return [...variables]
    .map(([name, value]) => {
      const steps = [`{ \\builtin unset -n ${name} || :; } 2>/dev/null`, `\\builtin unset -v ${name} 2>/dev/null`]
      if (value !== undefined && Buffer.byteLength(value) <= maxValueBytes)
        steps.push(`${exportedName.test(name) ? '\\builtin export ' : ''}${name}=${quoteForBash(value)}`)
      return `{ ${steps.join(' && ')}; } || ${definitionProblem}=${name};`
    })
    .join(' ')
}

export function formatDefine(variables: ReadonlyMap<string, string | undefined>): string {
  const answer = `if [[ -n \${${definitionProblem}-} ]]; then ${report(`"undefined $${definitionProblem}"`)}; else ${report('defined')}; fi`
  return `\\builtin unset __mdtest_c ${definitionProblem}; ${formatDefinitions(variables)} ${answer}; \\builtin unset ${definitionProblem}`
}

export function formatMakePipes(paths: readonly string[]): string {
  const make = `\\builtin command -p mkfifo -m 600 ${paths.map(quoteForBash).join(' ')} 2>/dev/null`
  return `\\builtin unset __mdtest_c; if ${make}; then ${report('pipes')}; else ${report('no-pipes')}; fi`
}

export interface Statement extends ShellFiles {
  readonly code: string
  /** `code` as bash gets it, after `watchedCode`. */
  readonly executed: string
  readonly stdoutPath: string
  readonly stderrPath: string
  readonly lastExitCode: number
  readonly isStrict: boolean
  readonly cwd: string | undefined
  readonly env: Readonly<Record<string, string>>
}

/** Bash reports `open`, then `done EXIT_CODE` (`end` after a stray `break`), or `refused` if `cwd` or `env` fails. */
export function formatStatement(statement: Statement): string {
  const { executed, stdoutPath, stderrPath, lastExitCode } = statement
  const stderr = stderrPath === stdoutPath ? `&${stdoutFd}` : quoteForBash(stderrPath)
  const open = `\\exec ${stdoutFd}>${quoteForBash(stdoutPath)} ${stderrFd}>${stderr}; ${report('open')}`
  const restoreStatus = lastExitCode === 0 ? '\\builtin :' : `(\\builtin exit ${lastExitCode}) && :`
  // Redirect the group, not the `eval`: otherwise the user's functions are gone when an EXIT trap runs.
  const streams = `>&${stdoutFd} 2>&${stderrFd} ${stdoutFd}>&- ${stderrFd}>&- ${controlFd}>&-`
  const run = `{ ${restoreStatus}; \\builtin eval "\${__mdtest_x-}"${quoteForBash(executed)}; } ${streams}`
  // If `set -x` is on, trace only the user's code.
  const retrace = `"{ \\builtin unset __mdtest_x; \\builtin set -\${-//[^xv]}; } 2>/dev/null; "`
  const untraced = `if [[ $- == *x* ]]; then __mdtest_x=${retrace}; \\builtin set +xv; fi; `
  // The `for` runs once, to catch a stray `break` or `continue`. A function would make `declare` local.
  const before = statement.isStrict ? formatStrictSetUp(statement) : ''
  const once = `for __mdtest_c in 1; do \\builtin unset __mdtest_c; ${before}${untraced}${run}; __mdtest_c="done $?"; done`
  // Send one report at the end, because each report wakes the listener.
  const runOnce = `${open}; ${once}; ${toNull}; ${report('"${__mdtest_c-end}"')}; \\builtin unset __mdtest_c`
  return `${formatSetUp(statement)}if ${formatOverrides(statement)}; then ${runOnce}; else ${report('refused')}; fi`
}

/** Undoes `cwd`, `env` and the function `trap`. Bash runs this before the next statement, even in a restored shell. */
export function formatCleanUp({ code, cwd, env, overridesFile }: Statement): string {
  const names = Object.keys(env)
  return [
    ...(mentionsTrap(code) ? ['\\builtin unset -f trap'] : []),
    ...(names.length > 0
      ? [`\\builtin unset -v ${names.join(' ')}`, `\\builtin . ${quoteForBash(overridesFile)}`]
      : []),
    ...(cwd === undefined ? [] : ['\\builtin cd -- "$__mdtest_d" 2>/dev/null || :', '\\builtin unset __mdtest_d']),
  ]
    .map((step) => `${step}; `)
    .join('')
}

function formatOverrides({ cwd, env }: Statement): string {
  const assignments = Object.entries(env).map(([name, value]) => `${name}=${quoteForBash(value)}`)
  const steps = [
    ...(cwd === undefined ? [] : [`__mdtest_d=$PWD && \\builtin cd -- ${quoteForBash(cwd)} 2>/dev/null`]),
    ...(assignments.length === 0 ? [] : [`\\builtin export ${assignments.join(' ')}`]),
  ]
  return steps.length === 0 ? '\\builtin :' : steps.join(' && ')
}

function formatSetUp(statement: Statement): string {
  const { code, env, overridesFile } = statement
  const keep = `\\builtin declare -p ${Object.keys(env).join(' ')} >|${quoteForBash(overridesFile)} 2>/dev/null || :; `
  return (Object.keys(env).length === 0 ? '' : keep) + (mentionsTrap(code) ? `${formatTrapFunction(statement)}; ` : '')
}

/** Whether code may set an EXIT trap. Other code gets no function `trap`, because the function breaks `trap - ERR`. */
function mentionsTrap(code: string): boolean {
  return /\btrap\b/.test(code) && /\bEXIT\b|\btrap\b[^\n]*\s(?:0|exit)\b/.test(code)
}

/** Defines a function `trap`, so that the user's EXIT trap saves the state first. `-t` lets it set DEBUG traps. */
function formatTrapFunction({ stateFile, trapFile }: Statement): string {
  // When the trap runs, bash may already have undone the redirections of the exiting command.
  const evaluate = '{ (\\builtin exit "$__mdtest_s") && :; } 2>/dev/null; \\builtin eval '
  const first = `${formatSave(stateFile)}; if { \\builtin :; } 2>/dev/null >&${stdoutFd}; then ${evaluate}`
  const second = ` >&${stdoutFd} 2>&${stderrFd}; else ${evaluate}`
  const rearm = [
    '\\builtin eval "__mdtest_a=($__mdtest_t)"',
    '\\builtin printf -v __mdtest_t %q "${__mdtest_a[2]-}"',
    `\\builtin trap ${[first, second, '; fi'].map(quoteForBash).join('"$__mdtest_t"')} EXIT`,
  ]
  const body = [
    '{ \\builtin local __mdtest_r=0 __mdtest_t __mdtest_a; } 2>/dev/null',
    '\\builtin trap "$@" || __mdtest_r=$?',
    `{ if [[ $BASH_SUBSHELL = 0 ]]; then ${readTrap(trapFile, 'EXIT')}`,
    `if [[ $__mdtest_t != *__mdtest_s* ]]; then ${rearm.join('; ')}; fi; fi`,
    '\\builtin return "$__mdtest_r"; } 2>/dev/null',
  ]
  return `trap() { ${body.join('; ')}; }; \\builtin declare -ft trap`
}
