// The bash text that drives a shell. It runs in bash 3.2 (macOS), whatever options, aliases and functions the user sets.
// Each statement is one physical line, so that bash counts the lines of the user's code from 1.

import { quoteForBash } from '../text/quoting.ts'
import { armVariable } from './watched-code.ts'

/** Commands come in and reports go out here. The user's own `exec 3>file` does not meet it. */
const controlFd = 199
const stdoutFd = 198
const stderrFd = 197
const toNull = `\\exec ${stdoutFd}>/dev/null ${stderrFd}>/dev/null`
const report = (words: string): string => `\\builtin echo ${words} >&${controlFd}`

export interface DriverFiles {
  readonly stateFile: string
  readonly savedFile: string | undefined
  readonly marks: string
  readonly isStrict: boolean
}

/** The program of bash: it reads statements, each ended by NUL, until the control channel is closed. */
export function formatDriver({ stateFile, savedFile, marks, isStrict }: DriverFiles): string {
  return [
    `exec ${controlFd}<&0 </dev/null; ${toNull}`,
    savedFile === undefined
      ? '\\builtin shopt -s expand_aliases'
      : `\\builtin . ${quoteForBash(savedFile)} 2>/dev/null; \\builtin export MDTEST_MARKS=${quoteForBash(marks)}`,
    '\\builtin unset __mdtest_s',
    ...(isStrict ? ['\\builtin set -u'] : []),
    `\\builtin trap ${quoteForBash(formatSave(stateFile))} EXIT`,
    // A TMOUT of the user would end the waiting.
    `while IFS= TMOUT= \\builtin read -r -d '' -u ${controlFd} __mdtest_c`,
    'do \\builtin eval "$__mdtest_c"',
    'done',
    report('left'),
  ].join('; ')
}

/** Line of the code at which the shell is; in a function or a sourced file, the line of its call. */
const lineOfCall = '${BASH_LINENO[${#BASH_LINENO[@]}-1]}'

/** Notes the line of a failure. The `eval` of the driver fails where the last command was a condition. */
const onError = [
  '{ __mdtest_q=$?; if [[ $- == *e* ]]; then __mdtest_f=$__mdtest_q; fi',
  'if [[ $- == *e* && $BASH_COMMAND != "\\\\builtin eval "* ]]; then __mdtest_l=$LINENO',
  // Put by `watchedCode` before a pipe of which bash does not know the line.
  'if [[ $BASH_COMMAND == __mdtest_i=* ]]; then __mdtest_l=$__mdtest_i; fi',
  `if [[ \${#BASH_LINENO[@]} -gt 0 ]]; then __mdtest_l=${lineOfCall}; fi; fi; } 2>/dev/null`,
].join('; ')

/** Puts the noting of a failure before the ERR trap that the user has now. In a function bash hides one from outside. */
function formatArm(trapFile: string): string {
  const chained = `${quoteForBash(`${onError}; (\\builtin exit "$__mdtest_q") && :; `)}"\${__mdtest_k-}"`
  const chain = [
    '\\builtin unset __mdtest_k; \\builtin eval "__mdtest_a=($__mdtest_t)"',
    `[[ -z $__mdtest_t ]] || __mdtest_k=\${__mdtest_a[2]}; \\builtin trap ${chained} ERR`,
  ].join('; ')
  const isNew = '$__mdtest_t != *__mdtest_l=* && ( -n $__mdtest_t || -z ${FUNCNAME+x} )'
  const arm = `${readTrap(trapFile)}; if [[ ${isNew} ]]; then ${chain}; fi`
  return `__mdtest_q=$?; if [[ $BASH_SUBSHELL = 0 ]]; then ${arm}; fi; (\\builtin exit "$__mdtest_q") && :`
}

/** Put right before a script that stops at its first failure: that ends the shell, and the next one goes on with its state. */
function formatStrictSetUp({ code, trapFile }: Statement): string {
  const install = `${armVariable}=${quoteForBash(formatArm(trapFile))}; \\builtin eval "$${armVariable}"; `
  // Code that looks at traps must not meet ours: nobody knows the line of its failure.
  const trap = /\btrap\s*(?:-p|$|[;|&)])/m.test(code) ? '' : install
  const note = `__mdtest_o=$-; if [[ -o pipefail ]]; then __mdtest_o+='|'; fi; `
  return `${note}${trap}\\builtin set -eo pipefail; `
}

/** Puts back what the user had; put behind such a script, and before the next statement where the shell has ended. */
export function formatStrictCleanUp({ code, trapFile }: Statement): string {
  const steps = [
    // An option that the code sets itself stays set.
    ...(setsErrexit.test(code) ? [] : ['[[ $__mdtest_o == *e* ]] || \\builtin set +e']),
    ...(setsPipefail.test(code) ? [] : [`[[ $__mdtest_o == *'|'* ]] || \\builtin set +o pipefail`]),
    `${readTrap(trapFile)}; if [[ $__mdtest_t == *__mdtest_l=* ]]; then \\builtin trap "\${__mdtest_k--}" ERR; fi`,
    '\\builtin unset __mdtest_o __mdtest_l __mdtest_t __mdtest_q __mdtest_f __mdtest_k __mdtest_a __mdtest_i __mdtest_r',
  ]
  return `if [[ -n \${__mdtest_o+x} ]]; then ${steps.join('; ')}; fi; `
}

function readTrap(file: string): string {
  const path = quoteForBash(file)
  return `\\builtin trap -p ERR >|${path}; IFS= \\builtin read -r -d '' __mdtest_t <${path} || \\builtin :`
}

const setsErrexit = /(?:^|[\s;&|({])set\s(?:[^\n;&|]*\s)?(?:-[a-z]*e|-[a-z]*o\s+errexit\b)/i
const setsPipefail = /(?:^|[\s;&|({])set\s(?:[^\n;&|]*\s)?-[a-z]*o\s+pipefail\b/i

export const stateEndMark = '# saved'
export const lineMark = '# line '
/** The exit code, whatever a trap of the user made of it. */
export const statusMark = '# status '

/**
 * Writes the state for a new shell, in this order: options that change how functions are read, variables, functions, and
 * last all that would act on reading it (traps, aliases, errexit). `__mdtest_s` is the exit code.
 */
function formatSave(stateFile: string): string {
  const steps = [
    // Where the user has removed the directory, the shell ends before it reports.
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
  const save = `[[ -n \${__mdtest_n-} ]] || { ${steps.join('; ')}; } >|${quoteForBash(stateFile)} 2>/dev/null`
  return `__mdtest_s=$?; ${save}`
}

export const noMoreSaves = '__mdtest_n=1'

export function formatCheckpoint(file: string): string {
  return `if ${formatSave(file)}; then \\builtin :; fi; \\builtin unset __mdtest_s; `
}

export function formatSaveTo(file: string): string {
  return `\\builtin unset __mdtest_c; ${formatCheckpoint(file)}${report('saved')}`
}

/** Linux starts no program with more than 128 KiB in one variable, and bash reads and saves long ones slowly. */
const maxValueBytes = 64 * 1024
/** POSIX leaves small letters to applications. Capitals steer programs: `NODE_OPTIONS`, `CARGO_TARGET_x86_RUNNER`. */
const exportedName = /^_*[A-Z0-9]*[a-z][A-Za-z0-9_]*$/
const definitionProblem = '__mdtest_u'

/** Sets also variables of `declare -i` and `declare -n`: no value is evaluated. Notes the name of one that is readonly. */
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

export interface Statement {
  readonly code: string
  /** What bash gets of it. */
  readonly executed: string
  readonly stdoutPath: string
  readonly stderrPath: string
  readonly lastExitCode: number
  readonly overridesFile: string
  readonly trapFile: string
  readonly isStrict: boolean
  readonly stateFile: string
  readonly cwd: string | undefined
  readonly env: Readonly<Record<string, string>>
}

/**
 * Runs the code. Reports `open` as it starts, and at its end `done <exit code>`, or `end` where a `break` of the user has
 * left the loop around. `refused`: `cwd` or `env` could not be set.
 */
export function formatStatement(statement: Statement): string {
  const { executed, stdoutPath, stderrPath, lastExitCode } = statement
  const stderr = stderrPath === stdoutPath ? `&${stdoutFd}` : quoteForBash(stderrPath)
  const open = `\\exec ${stdoutFd}>${quoteForBash(stdoutPath)} ${stderrFd}>${stderr}; ${report('open')}`
  const restoreStatus = lastExitCode === 0 ? '\\builtin :' : `(\\builtin exit ${lastExitCode}) && :`
  // The group has the redirections: with those of `eval`, the user's functions are gone when an EXIT trap runs.
  const streams = `>&${stdoutFd} 2>&${stderrFd} ${stdoutFd}>&- ${stderrFd}>&- ${controlFd}>&-`
  const run = `{ ${restoreStatus}; \\builtin eval "\${__mdtest_x-}"${quoteForBash(executed)}; } ${streams}`
  // What is traced is the code of the user alone.
  const untraced = `if [[ $- == *x* ]]; then \\builtin set +x; __mdtest_x='{ \\builtin unset __mdtest_x; \\builtin set -x; } 2>/dev/null; '; fi; `
  // The `for` runs once, and takes a stray `break` or `continue`. In a function `declare` would be local.
  const [before, after] = statement.isStrict ? [formatStrictSetUp(statement), formatStrictCleanUp(statement)] : ['', '']
  const once = `for __mdtest_c in 1; do \\builtin unset __mdtest_c; ${before}${untraced}${run}; __mdtest_c="done $?"; done`
  // One report, because each wakes up the listener.
  const runOnce = `${open}; ${once}; ${toNull}; ${after} ${report('"${__mdtest_c-end}"')}; \\builtin unset __mdtest_c`
  return `${formatSetUp(statement)}if ${formatOverrides(statement)}; then ${runOnce}; else ${report('refused')}; fi`
}

/** Undoes what `formatStatement` set around the code: before the next statement, in a restored shell too. */
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

/** All other code pays nothing, and `trap - ERR` is not said in a function, where it is in vain. */
function mentionsTrap(code: string): boolean {
  return /\btrap\b/.test(code) && /\bEXIT\b|\btrap\b[^\n]*\s(?:0|exit)\b/.test(code)
}

/** Puts the saving of the state before an EXIT trap of the user. Traced (`-t`), so that it may set DEBUG and RETURN traps. */
function formatTrapFunction({ stateFile, trapFile }: Statement): string {
  const file = quoteForBash(trapFile)
  // Bash may have undone the redirections of the command that exits.
  const evaluate = '(\\builtin exit "$__mdtest_s") && :; \\builtin eval '
  const first = `${formatSave(stateFile)}; if { \\builtin :; } 2>/dev/null >&${stdoutFd}; then ${evaluate}`
  const second = ` >&${stdoutFd} 2>&${stderrFd}; else ${evaluate}`
  const rearm = [
    '\\builtin eval "__mdtest_a=($__mdtest_t)"',
    '\\builtin printf -v __mdtest_t %q "${__mdtest_a[2]-}"',
    `\\builtin trap ${[first, second, '; fi'].map(quoteForBash).join('"$__mdtest_t"')} EXIT`,
  ]
  const body = [
    '\\builtin local __mdtest_r=0 __mdtest_t __mdtest_a',
    '\\builtin trap "$@" || __mdtest_r=$?',
    'if [[ $BASH_SUBSHELL = 0 ]]; then \\builtin trap -p EXIT >|' + file,
    `IFS= \\builtin read -r -d '' __mdtest_t <${file} || :`,
    `if [[ $__mdtest_t != *__mdtest_s* ]]; then ${rearm.join('; ')}; fi; fi`,
    '\\builtin return "$__mdtest_r"',
  ]
  return `trap() { ${body.join('; ')}; }; \\builtin declare -ft trap`
}
