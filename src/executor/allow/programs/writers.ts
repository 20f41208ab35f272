import type { Given } from '../line/words.ts'
import { isHarmlessScript } from './sed.ts'
import { hasOption, readArguments, valuesOfOptions } from './options.ts'

/** What a command writes, as far as its arguments say. */
export interface Writes {
  /** Files and folders that it makes, changes or removes. */
  readonly targets: readonly Given[]
  /** A file that it writes, or a folder into which it puts what has these names. */
  readonly into?: { readonly place: Given; readonly names: readonly Given[] }
  /** What it takes the content from, where that may be anywhere. */
  readonly sources: readonly Given[]
  /** Whether it makes links: who writes to one writes to its source. */
  readonly isLinking?: boolean
  /** Files out of which it makes others. */
  readonly unpacked?: readonly Given[]
  /** Whether its targets are enough: no rule is needed. */
  readonly isPlain: boolean
  /** Whether it puts there what it was given, and no content of another making: `cp`, `mkdir`, `rm`. */
  readonly keepsContent?: boolean
}

/** `undefined`: nothing is known that the command writes. */
export function writesOf(program: string, args: readonly Given[]): Writes | undefined {
  const writer = Object.hasOwn(writers, program) ? writers[program] : undefined
  return writer?.(args)
}

type Writer = (args: readonly Given[]) => Writes | undefined

const here: Given = { text: '.', value: '.', isPattern: false, isPipe: false, isOne: true }

function others(targets: readonly Given[], unpacked: readonly Given[] = []): Writes | undefined {
  return targets.length === 0 ? undefined : { targets, sources: [], unpacked, isPlain: false }
}

/** All operands are targets. */
function allOf(valued: string, isPlain: boolean): Writer {
  return (args) => ({ targets: readArguments(args, valued).operands, sources: [], isPlain, keepsContent: true })
}

interface LastOptions {
  readonly isPlain: boolean
  /** Whether it takes its sources away. */
  readonly takesAway?: boolean
  /** Whether it makes links of its sources, in any case or with these options. */
  readonly links?: boolean | readonly string[]
}

/** The last operand is the target, or the folder of it. */
function lastOf(valued: string, { isPlain, takesAway = false, links = false }: LastOptions): Writer {
  return (args) => {
    const given = readArguments(args, `-t --target-directory -S --suffix ${valued}`)
    const isLinking = typeof links === 'boolean' ? links : hasOption(given, ...links)
    const folders = valuesOfOptions(given, '-t', '--target-directory')
    const sources = folders.length > 0 || given.operands.length === 1 ? given.operands : given.operands.slice(0, -1)
    const place = folders[0] ?? (given.operands.length > 1 ? given.operands.at(-1) : undefined) ?? here
    return {
      targets: takesAway ? sources : [],
      into: { place, names: sources },
      sources,
      isLinking,
      isPlain: isPlain && !isLinking,
      keepsContent: true,
    }
  }
}

function byOptions(valued: string, ...names: readonly string[]): Writer {
  return (args) => others(valuesOfOptions(readArguments(args, `${valued} ${names.join(' ')}`), ...names))
}

/** Into a folder that an option names, or into the directory. */
function unpacking(archives: readonly Given[], folders: readonly Given[]): Writes | undefined {
  return others(folders.length > 0 ? folders : [here], archives)
}

const mode: Writer = (args) => others(readArguments(args, '--reference').operands.slice(1))
const replaced: Writer = (args) => {
  const { operands } = readArguments(args, '-S --suffix -T --threads')
  return others(operands, operands)
}

const writers: Readonly<Record<string, Writer>> = {
  tee: (args) => ({ targets: readArguments(args).operands, sources: [], isPlain: true }),
  mkdir: allOf('-m --mode', true),
  touch: allOf('-d -t -r --date --reference', true),
  rm: allOf('', true),
  rmdir: allOf('', true),
  cp: lastOf('', { isPlain: true, links: ['-l', '--link', '-s', '--symbolic-link'] }),
  mv: lastOf('', { isPlain: true, takesAway: true }),
  ln: lastOf('', { isPlain: false, links: true }),
  link: lastOf('', { isPlain: false, links: true }),
  install: (args) =>
    hasOption(readArguments(args, '-m -o -g'), '-d', '--directory')
      ? allOf('-m -o -g', false)(args)
      : lastOf('-m -o -g --mode --owner --group', { isPlain: false })(args),
  unlink: allOf('', false),
  shred: allOf('-n -s', false),
  truncate: allOf('-s --size -r --reference', false),
  mkfifo: allOf('-m --mode', false),
  sponge: (args) => others(readArguments(args).operands),
  chmod: mode,
  chown: mode,
  chgrp: mode,
  dd: (args) =>
    others(
      args.flatMap((arg) => (arg.value?.startsWith('of=') === true ? [{ ...arg, value: arg.value.slice(3) }] : [])),
    ),
  sort: byOptions('-k -t -S', '-o', '--output'),
  uniq: (args) => others(readArguments(args, '-f -s -w').operands.slice(1)),
  xxd: (args) => others(readArguments(args, '-c -g -l -s -o').operands.slice(1)),
  split: (args) =>
    others([readArguments(args, '-a -b -C -l -n -t --filter --bytes --lines --number').operands[1] ?? here]),
  csplit: () => others([here]),
  sed: (args) => {
    const given = readArguments(args, '-e --expression -f --file -l')
    if (!given.options.some(({ name }) => name === '-i' || name === '--in-place')) return undefined
    const hasScript = hasOption(given, '-e', '--expression', '-f', '--file')
    const scripts = hasScript ? valuesOfOptions(given, '-e', '--expression') : given.operands.slice(0, 1)
    const isPlain =
      !hasOption(given, '-f', '--file') && scripts.every(({ value }) => value !== undefined && isHarmlessScript(value))
    return { targets: hasScript ? given.operands : given.operands.slice(1), sources: [], isPlain }
  },
  yq: (args) =>
    hasOption(readArguments(args), '-i', '--inplace') ? others(readArguments(args).operands.slice(1)) : undefined,
  patch: (args) => {
    const given = readArguments(args, '-p -i -d -o -r --input --directory --output --reject-file')
    const files = [...valuesOfOptions(given, '-o', '--output', '-d', '--directory'), ...given.operands.slice(0, 1)]
    return others(files.length > 0 ? files : [here])
  },
  rsync: lastOf('-e --rsh --exclude --include', { isPlain: false }),
  scp: lastOf('-i -o -P', { isPlain: false }),
  tar: (args) => {
    // Its letters may come without a dash.
    const [first, ...rest] = args
    const isBare = first?.value !== undefined && /^[A-Za-z]+$/.test(first.value)
    const all = isBare ? [{ ...first, value: `-${first.value}` }, ...rest] : args
    const given = readArguments(all, '-f --file -C --directory -T -X --exclude')
    if (hasOption(given, '-x', '--extract', '--get'))
      return unpacking(valuesOfOptions(given, '-f', '--file'), valuesOfOptions(given, '-C', '--directory'))
    return hasOption(given, '-t', '--list') ? undefined : others(valuesOfOptions(given, '-f', '--file'))
  },
  unzip: (args) => {
    const given = readArguments(args, '-d -x -P')
    return hasOption(given, '-l', '-p', '-t', '-Z')
      ? undefined
      : unpacking(given.operands, valuesOfOptions(given, '-d'))
  },
  zip: (args) => others(readArguments(args).operands.slice(0, 1)),
  cpio: (args) => {
    const given = readArguments(args, '-D --directory -F --file')
    return unpacking(valuesOfOptions(given, '-F', '--file'), valuesOfOptions(given, '-D', '--directory'))
  },
  gzip: replaced,
  gunzip: replaced,
  bzip2: replaced,
  bunzip2: replaced,
  xz: replaced,
  unxz: replaced,
  zstd: replaced,
  tree: byOptions('-L -P -I', '-o'),
  curl: (args) => {
    const names =
      '-o --output --output-dir -D --dump-header -c --cookie-jar --trace --trace-ascii --stderr --etag-save --libcurl --hsts --alt-svc'.split(
        ' ',
      )
    const given = readArguments(
      args,
      `${names.join(' ')} -H -d -X -u -A -e -F -b -m -w -x -T --data --header --request`,
    )
    const files = valuesOfOptions(given, ...names)
    return others(hasOption(given, '-O', '--remote-name', '--remote-name-all', '-J') ? [...files, here] : files)
  },
  wget: (args) => {
    const names = ['-O', '--output-document', '-o', '--output-file', '-a', '--append-output']
    const given = readArguments(args, `${names.join(' ')} -P --directory-prefix -U -T -t`)
    const files = valuesOfOptions(given, ...names)
    return others([
      ...files,
      ...(hasOption(given, '-O', '--output-document') ? [] : valuesOfOptions(given, '-P', '--directory-prefix')),
      ...(hasOption(given, '-O', '-P', '--output-document', '--directory-prefix') ? [] : [here]),
    ])
  },
}
