import type { Given } from '../line/words.ts'
import type { Look } from './look.ts'
import { isHarmlessScript } from './sed.ts'
import { lookOfTest } from './test-command.ts'
import { hasOption, isMeantBy, readArguments, valuesOfOptions } from './options.ts'

/** `undefined`: the command is none that only looks. What Claude Code runs without asking, and some of the shell's own. */
export function lookOf(program: string, args: readonly Given[]): Look | undefined {
  if (plain.has(program)) return { ok: true, paths: [] }
  const special = specials[program]
  if (special !== undefined) return special(args)
  const reader = readers.get(program)
  return reader === undefined ? undefined : readFiles(reader, args)
}

const harmless: Look = { ok: true, paths: [] }

/** Whatever they are given. */
const plain: ReadonlySet<string> = new Set(
  `echo true false : sleep seq expr basename dirname whoami id uname arch nproc groups locale tput pwd which type help df
  free uptime pgrep tr break continue exit return shift times bg fg disown`.split(/\s+/),
)

interface Reader {
  readonly valued: string
  /** Options whose value is a file. */
  readonly files: readonly string[]
  /** Options with which it does more than look. */
  readonly more: readonly string[]
  /** Options in place of a pattern or script that otherwise is the first operand; `undefined` where there is none. */
  readonly scripts?: readonly string[]
  readonly maxOperands?: number
}

function reader(valued = '', more = '', rest: Partial<Reader> = {}): Reader {
  return { valued, files: [], more: more === '' ? [] : more.split(' '), ...rest }
}

const grep = reader(
  `-e --regexp -f --file -m --max-count -A -B -C --context --after-context --before-context --include --exclude
  --exclude-dir --label -d -D --color --colour`,
  '',
  { scripts: ['-e', '--regexp', '-f', '--file'], files: ['-f', '--file', '--exclude-from'] },
)

const hash = reader('', '')

const readers: ReadonlyMap<string, Reader> = new Map([
  ['ls', reader('-I -w -T --ignore --hide')],
  ['cat', reader()],
  ['head', reader('-n -c --lines --bytes')],
  ['tail', reader('-n -c -s --lines --bytes --pid --sleep-interval')],
  ['wc', reader('', '', { files: ['--files0-from'] })],
  ['stat', reader('-c --format --printf -t')],
  ['file', reader('-F -P --separator -e', '-C -m -f -z -Z --compile --magic-file --files-from --uncompress')],
  [
    'sort',
    reader(
      '-k -t -S -o -T --key --field-separator --buffer-size --parallel --batch-size',
      '-o --output -T --temporary-directory --compress-program',
      { files: ['--files0-from', '--random-source'] },
    ),
  ],
  ['uniq', reader('-f -s -w --skip-fields --skip-chars --check-chars', '', { maxOperands: 0 })],
  ['cut', reader('-b -c -d -f --bytes --characters --delimiter --fields --output-delimiter')],
  [
    'diff',
    reader(
      '-U -C -W -I -F -x -S --label --unified --context --width --exclude --ignore-matching-lines',
      '-l --paginate',
      { files: ['-X', '--exclude-from', '--from-file', '--to-file'] },
    ),
  ],
  ['cmp', reader('-i -n')],
  ['comm', reader('--output-delimiter')],
  ...'md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum'.split(' ').map((name) => [name, hash] as const), // pairs
  ['base64', reader('-w --wrap')],
  ['od', reader('-A -j -N -S -t -w')],
  ['hexdump', reader('-e -n -s')],
  ['strings', reader('-n -t -e -s')],
  ['tac', reader('-s --separator')],
  ['rev', reader()],
  ['nl', reader('-b -d -f -h -i -l -n -s -v -w')],
  ['column', reader('-s -c -o -N -t --separator')],
  ['paste', reader('-d --delimiters')],
  ['fold', reader('-w --width')],
  ['fmt', reader('-w --width -p -g')],
  ['expand', reader('-t --tabs')],
  ['realpath', reader('', '', { files: ['--relative-to', '--relative-base'] })],
  ['readlink', reader()],
  [
    'du',
    reader('-d -B -t --max-depth --exclude --threshold', '', { files: ['-X', '--exclude-from', '--files0-from'] }),
  ],
  ['tree', reader('-L -P -I --filelimit --charset --sort', '-o -R')],
  ['grep', grep],
  ['egrep', grep],
  ['fgrep', grep],
  [
    'rg',
    {
      ...grep,
      valued: `${grep.valued} -g -t -T -M -j -r -E --glob --type`,
      more: ['--pre', '--hostname-bin', '-z', '--search-zip'],
    },
  ],
  ['fd', reader('-e -t -d -E --extension --type --max-depth --exclude', '-x -X --exec --exec-batch', { scripts: [] })],
  ['jq', reader('--indent --tab', '-f -L --from-file --library-path --slurpfile --rawfile --argfile', { scripts: [] })],
] as readonly (readonly [string, Reader])[]) // pairs, not lists of either

function readFiles({ valued, files, more, scripts, maxOperands }: Reader, args: readonly Given[]): Look {
  const given = readArguments(args, [valued, ...files].join(' '))
  const refused = given.options.find(({ name }) => more.some((each) => isMeantBy(name, each)))
  if (refused !== undefined) return { ok: false, why: `with \`${refused.name}\` it does more than look at files` }
  const takesScript = scripts !== undefined && !hasOption(given, ...scripts)
  const operands = takesScript ? given.operands.slice(1) : given.operands
  if (maxOperands !== undefined && operands.length > maxOperands) return { ok: false, why: 'it may write a file' }
  return { ok: true, paths: [...operands.filter(({ value }) => value !== '-'), ...valuesOfOptions(given, ...files)] }
}

const gitActing = '--output --ext-diff --textconv --no-index --contents --show-signature'.split(' ')

function isActing(value: string, name: string): boolean {
  return value.startsWith(name) || isMeantBy(value.replace(/=.*/s, ''), name)
}

/** `-v` names a variable; `%n` takes the next word for one. */
function setsByFormat(format: string): boolean {
  return format.startsWith('-v') || /%[^%a-zA-Z]*n/.test(format.replaceAll('%%', ''))
}

/** `%1`, `$!` and a variable that may hold one of them. */
function isOwnJob({ text, value }: Given): boolean {
  if (value !== undefined) return value.startsWith('%')
  return /^"?\$(?:!|(?!PPID|PWD|BASHPID)\w+|\{(?!PPID|BASHPID)\w+\})"?$/.test(text)
}

const specials: Readonly<Record<string, (args: readonly Given[]) => Look>> = {
  hostname: (args) => (args.length === 0 ? harmless : { ok: false, why: 'it may set the name of the machine' }),
  date: (args) => {
    const given = readArguments(args, '-d --date -f --file -r --reference -s --set')
    const isHarmless =
      given.operands.every(({ value }) => value?.startsWith('+') === true) && !hasOption(given, '-s', '--set')
    if (!isHarmless) return { ok: false, why: 'it may set the clock' }
    return { ok: true, paths: valuesOfOptions(given, '-f', '--file', '-r', '--reference') }
  },
  // `e` without a dash shows the environment of every process.
  ps: (args) =>
    args.every(
      ({ value }) =>
        value !== undefined && /^(?:-[A-Za-z]*|[aAfhlruwxvj]+|[\d,]+|[a-z%,]+)$/.test(value) && !/env/.test(value),
    ) && args.every(({ value = '' }, index) => !/^[a-z]*e/.test(value) || /^-[op]$/.test(args[index - 1]?.value ?? ''))
      ? harmless
      : { ok: false, why: 'it may show the environment of other processes' },
  printf: (args) => {
    const [format, ...others] = args[0]?.value === '--' ? args.slice(1) : args
    const isSetting =
      format?.value === undefined ? others.length > 0 || format?.isOne === false : setsByFormat(format.value)
    return isSetting
      ? { ok: false, isEvaluated: true, why: 'it may set a variable: write its format out, as in `printf "%s" "$x"`' }
      : harmless
  },
  wait: (args) => {
    // What nobody knows may be `-p`, and the name of a variable behind it.
    const isKnown = args.every(({ value, text, isOne }) =>
      value === undefined ? isOne && (args.length === 1 || text === '$!') : /^-[nf]+$|^[%\d]/.test(value),
    )
    return isKnown || args[0]?.value === '--'
      ? harmless
      : { ok: false, isEvaluated: true, why: 'it may set a variable: write `wait "$x"`, or `wait -- "$x" "$y"`' }
  },
  mktemp: () => ({ ok: false, why: 'there is a fresh folder already, `$MDTEST_SCRATCH`' }),
  jobs: (args) =>
    args.every(({ value }) => /^-[lnprs]+$|^[%\d]/.test(value ?? ''))
      ? harmless
      : { ok: false, why: 'it may start a command' },
  test: lookOfTest,
  '[': (args) =>
    args.at(-1)?.value === ']'
      ? lookOfTest(args.slice(0, -1))
      : { ok: false, isEvaluated: true, why: 'its last word has to be `]`' },
  command: (args) =>
    /^-[vV]+$/.test(args[0]?.value ?? '') ? harmless : { ok: false, why: 'what it starts cannot be known' },
  // `-1` behind a signal is every process of the user.
  kill: ([first, ...others]) => {
    const isSignal = /^-(?:[A-Za-z]+|\d+)$/.test(first?.value ?? '') && others.length > 0
    return (isSignal ? others : [first]).every((arg) => arg === undefined || isOwnJob(arg))
      ? harmless
      : { ok: false, why: 'it may end any process: write `kill %1` or `kill $!`' }
  },
  find: (args) => {
    const acting = args.find(({ value }) => value === undefined || /^-(?:exec|ok|fprint|fls|delete|files0)/.test(value))
    if (acting !== undefined) return { ok: false, why: `with ${acting.text} it does more than look` }
    const end = args.findIndex(({ value = '' }) => /^(?:-(?![HLPDO])|[(!])/.test(value))
    const start = (end === -1 ? args : args.slice(0, end)).filter(({ value }) => value?.startsWith('-') !== true)
    const files = args.filter((_, index) => /^-(?:newer\w*|samefile|anewer|cnewer)$/.test(args[index - 1]?.value ?? ''))
    return { ok: true, paths: [...start, ...files] }
  },
  sed: (args) => {
    const given = readArguments(args, '-e --expression -f --file -l --line-length')
    if (hasOption(given, '-i', '--in-place', '-f', '--file')) return { ok: false, why: 'it does more than look' }
    const scripts = valuesOfOptions(given, '-e', '--expression')
    const [first, ...others] = given.operands
    const all = scripts.length > 0 ? scripts : first === undefined ? [] : [first]
    if (!all.every(({ value }) => value !== undefined && isHarmlessScript(value)))
      return { ok: false, why: 'its script may write files or start commands' }
    return { ok: true, paths: scripts.length > 0 ? given.operands : others }
  },
  git: (args) => {
    const [command, ...others] = args.map(({ value }) => value)
    if (command === undefined || !/^(?:status|log|diff|show|blame|ls-files|rev-parse|shortlog|describe)$/.test(command))
      return { ok: false, why: 'it may change the repository' }
    const isHarmless = others.every(
      (value) => value !== undefined && !value.startsWith('-O') && !gitActing.some((each) => isActing(value, each)),
    )
    if (!isHarmless) return { ok: false, why: 'it may do more than look' }
    // Two files outside of the repository are compared, too.
    const { operands } = readArguments(args.slice(1), '-S -G -L -n -U --grep --author --since --until --date')
    return { ok: true, paths: operands }
  },
  ...Object.fromEntries(
    ['node', 'python', 'python3'].map((name) => [
      name,
      (args: readonly Given[]): Look =>
        args.length === 1 && args[0]?.value === '--version' ? harmless : { ok: false, why: 'it runs a program' },
    ]),
  ),
}
