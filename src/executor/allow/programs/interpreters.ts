import type { Given } from '../line/words.ts'

/** How a program that runs code is told which. */
export interface Interpreter {
  /** Arguments that hold code, or say that the next one does. */
  readonly code: RegExp
  /** Options whose value is a file with code. */
  readonly loads: readonly string[]
  /** Other options that take a value. */
  readonly valued: readonly string[]
  /** Arguments with which it runs nothing. */
  readonly idle: RegExp
  /** Without a file it reads its code from standard input. */
  readonly readsInput: boolean
  /** First words before the file: `deno run`. */
  readonly commands: RegExp
  /** Modules that `-m` names and that run code from their arguments or from standard input; absent where there is no `-m`. */
  readonly module?: RegExp
  /** What may stand behind the name of a file, so that it is found. */
  readonly endings: readonly string[]
}

function interpreter(code: RegExp, rest: Partial<Interpreter> = {}): Interpreter {
  return {
    code,
    loads: [],
    valued: [],
    idle: /^(?:--version|--help|-[vVh])$/,
    readsInput: true,
    commands: /^$/,
    endings: [''],
    ...rest,
  }
}

const ofNode = ['', '.js', '.mjs', '.cjs', '.ts', '.json', '.node', '/index.js', '/package.json']
const node = interpreter(/^(?:-[a-z]*[ep]|--eval|--print|-i|--interactive|--eval=.*|--print=.*)$/s, {
  loads:
    '-r --require --import --loader --experimental-loader --env-file --env-file-if-exists --test-reporter --build-snapshot-config'.split(
      ' ',
    ),
  valued:
    '-C --conditions --input-type --title --stack-trace-limit --max-old-space-size --test-name-pattern --run'.split(
      ' ',
    ),
  idle: /^(?:--version|--help|-[vh]|--v8-options|--test|--run)$/,
  commands: /^inspect$/,
  endings: ofNode,
})
const shell = interpreter(/^[-+](?=[a-zA-Z]*[cs])[a-zA-Z]*$/, {
  loads: ['--rcfile', '--init-file'],
  valued: ['-o', '+o', '-O', '+O'],
  idle: /^(?:--version|--help)$/,
})
const python = interpreter(/^-[bBdEhiIOPqsSuvx]*[ci]/, {
  valued: ['-W', '-X', '--check-hash-based-pycs'],
  module: /^(?:timeit|code|IPython|asyncio|idlelib.*|pdb.*-c)$/,
  endings: ['', '/__main__.py'],
})
const editor = interpreter(/^(?:-c|-S|-s|-u|--cmd|\+.*|-es?|--eval|-f|-l|--load)$/s, { readsInput: false })

const interpreters: Readonly<Record<string, Interpreter>> = {
  node,
  nodejs: node,
  tsx: node,
  'ts-node': node,
  jiti: node,
  bun: interpreter(/^(?:-[a-z]*[ep]|--eval|--print|--eval=.*|--print=.*|exec|repl)$/s, {
    loads: ['-r', '--preload', '--require', '--import', '--env-file'],
    commands: /^run$/,
    endings: ofNode,
  }),
  deno: interpreter(/^(?:eval|repl|jupyter)$/, {
    loads: ['-c', '--config', '--import-map', '--preload', '--env-file'],
    commands: /^(?:run|test|bench|serve|check|compile|bundle|install)$/,
  }),
  python,
  perl: interpreter(/^-[a-zA-Z0-9]*[eE]|^-[a-zA-Z]*[mM](?![\w:]+(?:=[\w,:]*)?$)|^-[a-zA-Z]*d/, { valued: ['-I'] }),
  ruby: interpreter(/^-[a-zA-Z]*e/, { loads: ['-r'], valued: ['-I', '-E'] }),
  php: interpreter(
    /^(?:-[a-zA-Z]*[rBREa]|-d.*|--(?:run|process-begin|process-code|process-end|interactive)(?:=.*)?)$/s,
    {
      loads: ['-f', '-F', '-c', '-z'],
    },
  ),
  lua: interpreter(/^-(?:e|i)/, { loads: ['-l'] }),
  luajit: interpreter(/^-(?:e|i|j|b)/, { loads: ['-l'] }),
  bash: shell,
  sh: shell,
  dash: shell,
  zsh: shell,
  ksh: shell,
  ash: shell,
  fish: interpreter(/^(?:-c|-C|--command.*|--init-command.*|-i)/s),
  csh: shell,
  tcsh: shell,
  tclsh: interpreter(/^$/),
  expect: interpreter(/^-c/),
  Rscript: interpreter(/^-e/),
  R: interpreter(/^(?:-e|-f|--file=.*)/s),
  julia: interpreter(/^(?:-[eEi]|--eval.*|--print.*)/s, { loads: ['-L', '--load'] }),
  osascript: interpreter(/^-[ei]/),
  elixir: interpreter(/^(?:-e|--eval|--rpc-eval)/, { loads: ['-r', '--require', '-pr'] }),
  erl: interpreter(/^-(?:eval|s|run)/),
  guile: interpreter(/^-[cel]/),
  groovy: interpreter(/^-e/),
  scala: interpreter(/^-e/),
  sbcl: interpreter(/^--(?:eval|load)/),
  ghci: interpreter(/^-e/),
  irb: interpreter(/^$/),
  jshell: interpreter(/^$/),
  sqlite3: interpreter(/^(?:-cmd|-init)$/, { readsInput: false }),
  dc: interpreter(/^(?:-e|--expression)/, { loads: ['-f', '--file'] }),
  m4: interpreter(/^$/),
  gdb: interpreter(/^-/, { readsInput: false }),
  make: interpreter(/^(?:--eval(?:=.*)?|[A-Za-z_]\w*[:+?!]{0,3}=.*)$/s, {
    loads: ['-f', '--file', '--makefile', '-I', '--include-dir'],
    valued: ['-C', '--directory', '-j', '--jobs', '-o', '-W', '-l'],
    readsInput: false,
    commands: /^/,
  }),
  gmake: interpreter(/^(?:--eval(?:=.*)?|[A-Za-z_]\w*[:+?!]{0,3}=.*)$/s, {
    loads: ['-f', '--file', '--makefile'],
    valued: ['-C', '--directory'],
    readsInput: false,
    commands: /^/,
  }),
  just: interpreter(/^(?:-c|--command|--shell.*)$/, { loads: ['-f', '--justfile'], readsInput: false, commands: /^/ }),
  vi: editor,
  vim: editor,
  nvim: editor,
  ex: { ...editor, readsInput: true },
  ed: { ...editor, readsInput: true },
  emacs: editor,
  java: interpreter(/^-(?:javaagent|agentlib|agentpath).*/s, {
    loads: ['-jar', '-cp', '-classpath', '--class-path'],
    readsInput: false,
  }),
}

/** How a program takes code, by its name without folders and versions. `undefined`: it is no interpreter that is known. */
export function interpreterOf(program: string): Interpreter | undefined {
  const own = Object.hasOwn(interpreters, program) ? interpreters[program] : undefined
  if (own !== undefined) return own
  if (/^(?:python|pypy)[\d.]*$/.test(program)) return python
  const bare = program.replace(/-?[\d.]+$/, '')
  return bare !== program && Object.hasOwn(interpreters, bare) ? interpreters[bare] : undefined
}

/** In UTF-16 code units: no option is longer. */
const maxFlagCharacters = 300

/** What an interpreter is given to run. */
export interface Code {
  /** An argument that is code or announces it. */
  readonly flag?: Given
  /** Words that name files with code. */
  readonly files: readonly Given[]
  /** What is given to other options: it may be a file of any kind. */
  readonly values: readonly Given[]
  /** Whether it is read from standard input. */
  readonly isInput: boolean
}

export function codeOf(
  { code, loads, valued, idle, readsInput, commands, module }: Interpreter,
  args: readonly Given[],
): Code {
  const files: Given[] = []
  const values: Given[] = []
  let isLoose = false
  let isIdle = false
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at]
    const { value } = arg ?? {}
    if (arg === undefined) break
    // Not known: it may be a flag as well as a file.
    if (value === undefined || arg.isPipe) return { flag: arg, files, values, isInput: false }
    const [, written = value, own] = /^(--?[^=]+)=([\s\S]*)$/.exec(value) ?? []
    // Node.js reads `--env_file` as `--env-file`.
    const name = written.startsWith('--') ? written.replaceAll('_', '-') : written
    const start = value.slice(0, maxFlagCharacters)
    // Code of the agent's, and of anybody.
    if (/^(?:data|blob|https?):/i.test(start)) return { flag: arg, files, values, isInput: false }
    if (code.test(start) || code.test(name.slice(0, maxFlagCharacters)))
      return { flag: arg, files, values, isInput: false }
    if (own !== undefined && !loads.includes(name)) values.push({ ...arg, value: own })
    const short = /^-[a-zA-Z]./.test(value) ? value.slice(0, 2) : ''
    if (loads.includes(name)) {
      const file = own === undefined ? args[(at += 1)] : { ...arg, value: own }
      if (file === undefined) continue
      if (/^data:/i.test(file.value ?? 'data:')) return { flag: arg, files, values, isInput: false }
      files.push(file)
    } else if (!value.startsWith('--') && short !== '' && loads.includes(short))
      files.push({ ...arg, value: value.slice(2) })
    else if (valued.includes(name)) at += own === undefined ? 1 : 0
    else if (/^-[bBdEiIOPqsSuvx]*m/.test(value) && module) {
      const own = value.replace(/^-\w*?m/, '')
      const name = own === '' ? args[at + 1] : { ...arg, value: own }
      if (module.test(name?.value ?? '')) return { flag: name ?? arg, files, values, isInput: false }
      const rest = args.slice(own === '' ? at + 2 : at + 1)
      return {
        files: [...files, ...moduleFiles(name)],
        values: [...values, ...(running.test(name?.value ?? '') ? rest : [])],
        isInput: false,
      }
    } else if (idle.test(start)) isIdle = true
    else if (value === '-' || /^\/dev\/(?:stdin|fd\/)/.test(value)) return { flag: arg, files, values, isInput: true }
    else if (value === '--') isLoose = false
    else if (value.startsWith('-') || value.startsWith('+')) isLoose = !value.includes('=')
    else if (!commands.test(start)) {
      files.push(arg)
      // Behind an option that may have taken it, the next word may be the file.
      if (!isLoose) return { files, values, isInput: false }
      isLoose = false
    }
  }
  return { files, values, isInput: readsInput && !isIdle && files.length === 0 }
}

/** Modules of Python that run the files that they are given. */
const running =
  /^(?:pdb|ipdb|runpy|trace|cProfile|profile|doctest|unittest|pytest|coverage|nose2|zipapp|py_compile|compileall|behave|robot|tox)$/

/** `python -m a.b` runs one of these, where it is here. */
function moduleFiles(module: Given | undefined): readonly Given[] {
  if (module?.value === undefined) return module === undefined ? [] : [module]
  const path = module.value.replaceAll('.', '/')
  return [`${path}.py`, `${path}/__main__.py`, `${path}/__init__.py`].map((value) => ({ ...module, value }))
}

/** Whether a client of a database takes what it does from standard input: there are no words among its arguments. */
export function readsCommands(program: string, args: readonly Given[]): boolean {
  if (program === 'sqlite3') return args.filter(({ value }) => value?.startsWith('-') !== true).length < 2
  const words = program === 'psql' ? /^(?:-\w*[cfl]|--(?:command|file|list))/ : /^(?:-\w*e|--execute)/
  return isClient(program) && !args.some(({ value = '' }) => words.test(value) || /^-+(?:version|help|V)/.test(value))
}

export function isClient(program: string): boolean {
  return /^(?:sqlite3|psql|mysql|mariadb)$/.test(program)
}

/** In UTF-16 code units. Longer ones are programs that nobody reads. */
const maxCharacters = 2000

/** Whether a program of `awk` starts commands, reads other files or writes some. */
export function isActingAwk(program: string): boolean {
  if (program.length > maxCharacters) return true
  const bare = withoutTexts(program)
  return /\bsystem\b|\bgetline\b|@\w|\bprintf?\b[^;}]*(?:>|\|(?!\|))/.test(bare)
}

/** Texts and patterns are left out. A slash is a division behind what can be divided. */
function withoutTexts(program: string): string {
  let bare = ''
  for (let at = 0; at < program.length; at += 1) {
    const sign = program[at] ?? ''
    const isText = sign === '"' || (sign === '/' && !divisible.test(bare.slice(-maxFlagCharacters)))
    if (!isText) bare += sign
    else {
      for (at += 1; at < program.length && program[at] !== sign; at += 1) if (program[at] === '\\') at += 1
      bare += '""'
    }
  }
  return bare
}

/** Ends with what can be divided: no word of the language. */
const divisible = /(?:[)\]"]|(?<!\b(?:print|printf|return|in|do|else|getline|case|delete|exit))(?<=[\w$]))\s*$/
