import { unknownWord, type Given } from '../line/words.ts'
import { isMeantBy } from './options.ts'

/** A command that starts another one, which is among its arguments. */
export interface Unwrapped {
  /** The other one, with its arguments. */
  readonly inner: readonly Given[]
  /** `NAME=value` words that it starts it with. */
  readonly assignments: readonly Given[]
  /** Whether a rule has to match it to the letter or be a prefix of it: `xargs` gives the inner command more words. */
  readonly addsWords: boolean
}

/**
 * Takes off what runs a command as it is: `timeout 5 npm test` is `npm test`. A rule for the inner one counts for both.
 * `undefined` where it is no such command; an empty `inner` where what it starts cannot be told.
 */
export function unwrap(program: string, args: readonly Given[]): Unwrapped | undefined {
  switch (program) {
    case 'timeout':
      return skipping(args, {
        valued: ['-s', '--signal', '-k', '--kill-after'],
        flags: /^(?:--(?:foreground|preserve-status|verbose)|-[fpv])$/,
        words: 1,
      })
    case 'time':
      return skipping(args, { flags: /^-p$/ })
    case 'nice':
      return skipping(args, { valued: ['-n', '--adjustment'], flags: /^--?\d+$/ })
    case 'nohup':
    case 'builtin':
      return skipping(args, {})
    case 'stdbuf':
      return skipping(args, { valued: ['-i', '-o', '-e', '--input', '--output', '--error'] })
    case 'command':
      return /^-p?[vV]/.test(args[0]?.value ?? '') ? undefined : skipping(args, { flags: /^-p$/ })
    case 'xargs':
      return ofXargs(args)
    case 'env':
      return ofEnv(args)
    default:
      return undefined
  }
}

/** What a wrapper takes for itself. */
interface OwnArguments {
  /** Options that take a value. */
  readonly valued?: readonly string[]
  /** Other options. */
  readonly flags?: RegExp
  /** How many words stand between its options and the command. */
  readonly words?: number
}

function skipping(args: readonly Given[], { valued = [], flags = /^$/, words = 0 }: OwnArguments): Unwrapped {
  let at = 0
  for (; at < args.length; at += 1) {
    const { value } = args[at] ?? {}
    if (value === undefined) return nothing
    if (value === '--') {
      at += 1
      break
    }
    if (!value.startsWith('-')) break
    const name = value.startsWith('--') ? value.replace(/=.*/s, '') : value.slice(0, 2)
    if (valued.includes(name)) at += value === name ? 1 : 0
    else if (!flags.test(value)) return nothing
  }
  const skipped = args.slice(at, at + words)
  if (skipped.some(({ value }) => value === undefined)) return nothing
  return { inner: args.slice(at + words), assignments: [], addsWords: false }
}

const nothing: Unwrapped = { inner: [], assignments: [], addsWords: false }

function ofXargs(args: readonly Given[]): Unwrapped {
  const replaced = args.findIndex(({ value = '' }) => /^(?:-I|-i|--replace)/.test(value))
  const { inner } = skipping(args, {
    valued: '-n -I -P -L -d -s -E --max-args --max-procs --delimiter'.split(' '),
    flags: /^(?:-[0rtx]+|-[ie].*|--null|--no-run-if-empty|--replace(?:=.*)?)$/s,
  })
  if (inner.length === 0) return nothing
  if (replaced === -1) return { inner: [...inner, unknownWord('…')], assignments: [], addsWords: true }
  const flag = args[replaced]?.value ?? ''
  const place = flag === '-I' ? args[replaced + 1]?.value : (/^(?:-[Ii]|--replace=)(.+)$/s.exec(flag)?.[1] ?? '{}')
  const fill = (word: Given): Given =>
    place === undefined || word.value?.includes(place) === true ? { ...word, value: undefined } : word
  return { inner: inner.map(fill), assignments: [], addsWords: true }
}

function ofEnv(args: readonly Given[]): Unwrapped | undefined {
  // Alone it prints the environment.
  if (args.length === 0) return undefined
  const { inner } = skipping(args, { valued: ['-u', '--unset'], flags: /^(?:-|-i|--ignore-environment)$/ })
  const end = inner.findIndex(({ value }) => value === undefined || !/^[^=]+=/.test(value))
  if (end === -1) return nothing
  return { inner: inner.slice(end), assignments: inner.slice(0, end), addsWords: false }
}

/** Programs that start what is in their arguments in another way: whoever allows them has not allowed all of that. */
export const starters: ReadonlySet<string> = new Set(
  `sudo doas su runuser npx bunx pnpx npm pnpm yarn bun uv uvx pipx poetry pipenv bundle hatch pdm conda mamba nix rye
  setsid ionice chrt taskset numactl prlimit watch script flock unbuffer xvfb-run cross-env dotenv dotenvx direnv busybox
  toybox parallel ssh docker podman kubectl firejail bwrap systemd-run at batch tmux screen entr nodemon pm2 concurrently
  time timeout nice nohup stdbuf xargs env exec valgrind heaptrack hyperfine faketime find choom setarch linux32 linux64
  chronic run-parts start-stop-daemon ld.so catchsegv crontab pkexec sg runcon fakeroot proot xterm`.split(/\s+/),
)

/** Those that take a command line in one word. */
export const takesLines: ReadonlySet<string> = new Set(
  'su runuser watch script flock xvfb-run parallel ssh at batch tmux screen entr nodemon concurrently hyperfine'.split(
    ' ',
  ),
)

/** Programs that look into other processes, or take a process out of where it is. */
export const intruders: ReadonlySet<string> = new Set(
  `gdb lldb strace ltrace perf bpftrace gcore reptyr pstack nsenter unshare chroot setpriv capsh ptrace rr jmap jstack
  py-spy rbspy socat nc ncat netcat`.split(/\s+/),
)

/** Options of a program by which it starts a command of the agent's, or acts elsewhere. */
interface ActingOptions {
  /** Long names, which may be shortened. */
  readonly long?: string
  readonly other?: RegExp
}

const acting: Readonly<Record<string, ActingOptions>> = {
  find: { other: /^-(?:exec|execdir|ok|okdir|delete|fprint.*|fls)$/ },
  fd: { long: '--exec --exec-batch', other: /^-[xX]/ },
  rg: { long: '--pre --hostname-bin' },
  sort: { long: '--compress-program' },
  tar: {
    long: '--to-command --checkpoint-action --use-compress-program --rsh-command --info-script --new-volume-script --absolute-names',
    other: /^-[A-Za-z]*[IFP]/,
  },
  zip: { long: '--unzip-command', other: /^-TT/ },
  rsync: { long: '--rsh --rsync-path', other: /^-[a-zA-Z]*e/ },
  scp: { other: /^-[SoDF]/ },
  ssh: { other: /^-[oF]/ },
  git: {
    long: '--config-env --exec-path --git-dir --work-tree --upload-pack --receive-pack --exec --ext-diff --textconv --open-files-in-pager --tool --extcmd --template --config',
    other: /^-(?:c$|c\w+\.|C$|x|O)/,
  },
  man: { long: '--pager --html --local-file', other: /^-[PHl]/ },
  less: { other: /^[-+]/ },
  npm: {
    long: '--call --script-shell --node-options --prefix --userconfig --globalconfig --init-module --git --shell',
    other: /^-[cC]/,
  },
  npx: { long: '--call --script-shell --node-options --prefix --shell', other: /^-[cC]/ },
  pnpm: { long: '--shell-mode --script-shell --node-options --dir', other: /^(?:-[cC]|--config\.)/ },
  yarn: { long: '--cwd --use-yarnrc --node-options --script-shell' },
  docker: { long: '--volume --mount --privileged', other: /^-v/ },
  split: { long: '--filter' },
  xargs: { long: '--arg-file', other: /^-a/ },
  openssl: { other: /^-(?:engine|config|provider)/ },
  wget: { long: '--use-askpass --execute --config', other: /^-e/ },
  curl: { long: '--config', other: /^-K/ },
  go: { other: /^--?(?:exec|toolexec|vettool|overlay|modfile)(?:=|$)/ },
  cargo: { long: '--config' },
  jq: { long: '--library-path', other: /^-L/ },
  make: { long: '--eval', other: /^-E/ },
  gmake: { long: '--eval', other: /^-E/ },
  java: { other: /^-XX:(?:On|Flags|VMOptionsFile)/ },
  mvn: { long: '--file', other: /^-f/ },
  just: { long: '--justfile --command --shell' },
}

/** Whether some options of a program start others. */
export function hasStartingOptions(program: string): boolean {
  return Object.hasOwn(acting, program)
}

/** Whether an argument is such an option. */
export function startsByOption(program: string, value: string): boolean {
  const { long = '', other } = Object.hasOwn(acting, program) ? (acting[program] ?? {}) : {}
  if (other?.test(value) === true) return true
  const name = value.replace(/=.*/s, '')
  return name.startsWith('--') && long.split(/\s+/).some((each) => isMeantBy(name, each))
}
