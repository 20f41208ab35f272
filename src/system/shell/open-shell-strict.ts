import { quoteForBash } from '../text/quoting.ts'

/**
 * The bash text by which a script stops at the first command that fails, as `bash -eo pipefail` does, and the shell
 * lives on. `errexit` alone would end the shell, and with it its jobs and open files. An ERR trap leaves all of the code
 * before that: `continue` goes on with the loop of the driver, which reports what the trap has noted. ERR traps do not
 * reach into functions: a command that fails in one ends the shell, and the next one goes on with its state.
 */

/** What the ERR trap notes for the driver: the exit code and, where it is known, the line. */
const noted = '__mdtest_f'
/** What the user had: the flags of the shell, `|` for pipefail, and the marks of the statement; `F` once it has failed. */
const had = '__mdtest_o'

/** Line of the code at which the shell is, for a function or a file that is sourced that of its call. */
export const lineOfCall = '${BASH_LINENO[${#BASH_LINENO[@]}-1]}'

/** The ERR trap. */
const onError = [
  '__mdtest_r=$?',
  // The user may have said `set +e` meanwhile.
  'if [[ $- == *e* ]]',
  'then if [[ $BASH_SUBSHELL != 0 ]]',
  'then \\builtin exit "$__mdtest_r"',
  'fi',
  `${noted}="$__mdtest_r $LINENO"`,
  `if [[ \${#BASH_LINENO[@]} -gt 0 ]]`,
  `then ${noted}="$__mdtest_r ${lineOfCall}"`,
  // The `eval` of the driver itself: nothing in the code has failed before its end.
  `elif [[ $BASH_COMMAND == "\\\\builtin eval "* ]]`,
  `then ${noted}=$__mdtest_r`,
  'fi',
  `${had}+=F`,
  '\\builtin set +e',
  // The outermost loop is that of the driver. In a function there is none: then the shell ends.
  '\\builtin continue 999 2>/dev/null',
  `\\builtin unset ${noted}`,
  '\\builtin exit "$__mdtest_r"',
  'fi',
]
  .join('; ')
  .replaceAll('then; ', 'then ')

/** How a statement begins that is to stop so. The driver acts on it, because bash reads what it is sent byte by byte. */
const head = '\\builtin : strict '

/** Put before a statement. */
export function formatStrictHead({
  code,
  mayHaveTrap,
}: {
  readonly code: string
  readonly mayHaveTrap: boolean
}): string {
  const marks = [
    setsErrexit(code) ? 'e' : '',
    setsPipefail(code) ? '|' : '',
    // `T`: an ERR trap can be the user's. `N`: ours would be in the way.
    mayHaveTrap ? 'T' : '',
    looksAtTraps(code) ? 'N' : '',
  ]
  return `${head}"${marks.join('')}"; `
}

/** Put right before the code. */
export const strictOptions = '\\builtin set -eo pipefail; '

/** For the driver, once it has read a statement. */
export function formatStrictSetUp(trapFile: string): string {
  const install = `\\builtin trap ${quoteForBash(onError)} ERR`
  return [
    `if [[ $__mdtest_c == ${quoteForBash(head)}* ]]`,
    `then __mdtest_t=\${__mdtest_c%%;*}`,
    `${had}=$-\${__mdtest_t:${head.length}}`,
    `if [[ -o pipefail ]]`,
    `then ${had}+='|'`,
    'fi',
    '__mdtest_t=',
    `if [[ $${had} == *T* ]]`,
    `then ${readTrap(trapFile)}`,
    'fi',
    `if [[ -z $__mdtest_t && $${had} != *N* ]]`,
    `then ${install}`,
    'fi',
    '\\builtin unset __mdtest_t',
    'fi',
  ]
    .join('; ')
    .replaceAll('then; ', 'then ')
}

/** For the driver, before it reads the next statement: puts back what the user had. `report` tells what was noted. */
export function formatStrictEnd(trapFile: string, report: string): string {
  const remove = '\\builtin trap - ERR'
  const steps = [
    `if [[ $${had} != *e* ]]; then \\builtin set +e; elif [[ $${had} == *F* ]]; then \\builtin set -e; fi`,
    `if [[ $${had} != *'|'* ]]; then \\builtin set +o pipefail; fi`,
    `__mdtest_t=${noted}`,
    `if [[ $${had} == *T* ]]; then ${readTrap(trapFile)}; fi`,
    `if [[ $__mdtest_t == *${noted}* ]]; then ${remove}; fi`,
    `if [[ -n \${${noted}+x} ]]; then ${report}; fi`,
    `\\builtin unset ${had} ${noted} __mdtest_r __mdtest_t`,
  ]
  return `if [[ -n \${${had}+x} ]]; then ${steps.join('; ')}; fi`
}

function readTrap(file: string): string {
  const path = quoteForBash(file)
  return `\\builtin trap -p ERR >|${path}; IFS= \\builtin read -r -d '' __mdtest_t <${path} || \\builtin :`
}

/** Such code must not meet our trap. Without it a failure ends the shell, and nobody knows the line. */
function looksAtTraps(code: string): boolean {
  return /\bERR\b|\btrap\s*(?:-p|$|[;|&)])/m.test(code)
}

/** Whether code may set a trap, itself or by what it reads: a word search, so that all other code pays nothing. */
export function maySetTrap(code: string): boolean {
  return /\b(?:trap|source|eval)\b|(?:^|[\s;&|({])\.\s/.test(code)
}

/** An option that the code sets itself stays set, as it did. */
function setsErrexit(code: string): boolean {
  return /(?:^|[\s;&|({])set\s(?:[^\n;&|]*\s)?(?:-[a-z]*e|-[a-z]*o\s+errexit\b)/i.test(code)
}

function setsPipefail(code: string): boolean {
  return /(?:^|[\s;&|({])set\s(?:[^\n;&|]*\s)?-[a-z]*o\s+pipefail\b/i.test(code)
}
