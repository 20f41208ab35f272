import { basename, join } from 'node:path'
import { z } from 'zod'

/**
 * Files that a command may start, as far as its words tell: `check.sh` of `./check.sh -v`, of `bash -e check.sh` and of
 * `CI=1 timeout 60 sh ./check.sh`. Names of programs are among them. Also of a script with many commands.
 */
export function programsOf(command: string): readonly string[] {
  const text = command.replaceAll(/^\s*#.*$/gm, '').replaceAll(/["'`$]|\d?[<>]&\d/g, ' ')
  let folder = '.'
  return text.split(/[;&|(){}\n]+/).flatMap((part) => {
    const [first = '', ...rest] = withoutPrefixes(part.split(/\s+/).filter(Boolean))
    if (first === 'cd') folder = join(folder, rest[0] ?? '.')
    const names =
      first === '' || first === 'cd'
        ? []
        : [first, ...(interpreters.has(basename(first)) ? scriptsOf(first, rest) : [])]
    return names.map((name) => (isBuiltIn(name) ? name : join(folder, name)))
  })
}

/** Without what stands before the program: `CI=1`, `if`, `exec`, `timeout 60`, `npx --yes`. */
function withoutPrefixes(words: readonly string[]): readonly string[] {
  let start = 0
  while (start < words.length && /^\w+=|^!$/.test(words[start] ?? '')) start += 1
  const name = words[start] ?? ''
  if (!prefixes.has(name)) return words.slice(start)
  const next = words.findIndex((word, index) => index > start && !/^-|^[\d.]+[smhd]?$/.test(word))
  return next === -1 ? [] : withoutPrefixes(words.slice(next))
}

/** The script of an interpreter, with modules that are loaded before it. */
function scriptsOf(program: string, words: readonly string[]): readonly string[] {
  const modules: string[] = []
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ''
    const next = words[at + 1] ?? ''
    if (!word.startsWith('-') && word !== 'run') return [...modules, word]
    if (/^-(?:r|-require|-import|-loader|-experimental-loader)$/.test(word)) modules.push(words[(at += 1)] ?? '')
    if (shells.has(basename(program))) {
      if (/^-\w*c$/.test(word)) return [...modules, ...programsOf(words.slice(at + 1).join(' '))]
    } else if (word === '-m')
      return [...modules, `${next.replaceAll('.', '/')}.py`, `${next.replaceAll('.', '/')}/__main__.py`]
    // What follows is a program text, a file that is not run, or tests, which may stand in the code.
    else if (/^-(?:c|e|p|-check|-eval|-print|-test)$/.test(word)) return modules
  }
  return modules
}

/** A word without a path is a program on PATH, or a file right here. */
function isBuiltIn(name: string): boolean {
  return !name.includes('/') && !name.includes('.')
}

const shells: ReadonlySet<string> = new Set('sh bash dash zsh ksh'.split(' '))
const interpreters: ReadonlySet<string> = new Set([
  ...shells,
  ...'node bun deno tsx ts-node python python3 ruby perl php source .'.split(' '),
])
const prefixes: ReadonlySet<string> = new Set(
  'if then elif else while until do time timeout exec env command nohup nice xargs sudo npx bunx'.split(' '),
)

/** Options of runners, compilers and linters whose value is a file that they read. */
const fileOption =
  /^--?(?:c|cfg|conf(?:ig)?(?:-?file)?|p|project|f|file|makefile|r|require|import|loader|experimental-loader|ini|rc-?file|plugins?|setup\w*|global-?setup\w*|globals?|reporters?|environment|preset|settings|env-file|ignore-path|tsconfig|resolver|transform|runner|baseline|snapshot\w*)$/i

/** Files that commands hand to what they start: `--config build/test.mjs`, `-f ci.mk`, `diff expected.txt -`. Pure. */
export function filesHandedOver(commands: readonly string[]): {
  /** By an option that names configuration. */
  readonly byOption: readonly string[]
  /** All words that may be files. */
  readonly words: readonly string[]
} {
  const words = commands.flatMap((command) =>
    command
      .replaceAll(/["'`]/g, ' ')
      .split(/[\s;&|()<>]+/)
      .filter(Boolean),
  )
  const byOption = words.flatMap((word, index) => {
    const [, option = '', value] = /^(-[\w-]+)(?:=(.+))?$/.exec(word) ?? []
    if (!fileOption.test(option)) return []
    return [value ?? words[index + 1] ?? '']
  })
  const toPath = (word: string): string => join(word)
  return { byOption: byOption.filter(Boolean).map(toPath), words: words.map(toPath) }
}

/**
 * All files that commands start, also those that shell scripts among them start.
 *
 * @param read the text of a file of the project; `undefined` where there is none
 */
export async function allProgramsOf(
  commands: readonly string[],
  read: (path: string) => Promise<string | undefined>,
): Promise<ReadonlySet<string>> {
  const found = new Set(commands.flatMap(programsOf))
  // What is added is visited, too.
  for (const path of found) {
    const text = isBuiltIn(path) ? undefined : await read(path)
    if (text === undefined || !isShellScript(path, text)) continue
    for (const each of programsOf(text)) found.add(each)
  }
  return found
}

function isShellScript(path: string, text: string): boolean {
  return text.startsWith('#!') ? /^#!.*sh\b/.test(text) : /\.(?:ba|z|k)?sh$/.test(path)
}

const manifestSchema = z.object({ scripts: z.record(z.string(), z.string()).catch({}) })

/**
 * Commands, with the scripts of a package that they may start: those whose name is a word of theirs, as in `npm test`.
 *
 * @param manifest text of `package.json`, where there is one
 */
export function withScripts(commands: readonly string[], manifest: string | undefined): readonly string[] {
  const scripts = Object.entries(scriptsIn(manifest))
  const found = new Set(commands)
  // What is added is visited, too.
  for (const command of found) {
    const words = new Set(command.split(/[\s;&|()"']+/))
    for (const [name, script] of scripts) {
      if ([name, name.replace(/^(?:pre|post)/, '')].some((word) => words.has(word))) found.add(script)
    }
  }
  return [...found]
}

function scriptsIn(manifest: string | undefined): Readonly<Record<string, string>> {
  try {
    return manifestSchema.parse(JSON.parse(manifest ?? '{}')).scripts
  } catch {
    return {} // Not JSON: npm would not start it, either.
  }
}
