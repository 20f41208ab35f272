import { basename, dirname, join } from 'node:path'
import type { Checkpoints } from '../checkpoints/checkpoints.ts'
import { parsePackage } from '../../../test-runners/runners.ts'
import { isSource } from './file-kinds.ts'
import { withoutProductNames } from './read-by-judges.ts'

interface Programs {
  readonly byCommands: ReadonlySet<string>
  readonly byOthers: readonly string[]
  /** Files that the commands pass to programs, as configuration or for comparison. */
  readonly handedOver: ReadonlySet<string>
}

interface Started {
  readonly checkpoints: Pick<Checkpoints, 'read' | 'texts'>
  readonly before: string
  readonly commands: readonly string[]
}

const makeFile = /(?:^|\/)(?:GNU)?[mM]akefile$|\.mk$|(?:^|\/)\.?[jJ]ustfile$|(?:^|\/)Taskfile\.ya?ml$/
const usesMake = /(?:^|[\s;&|(])(?:g?make|just|task)(?:\s|$)/m

export async function programsStarted(
  files: readonly string[],
  { checkpoints, before, commands }: Started,
): Promise<Programs> {
  const read = (path: string): Promise<string | undefined> => checkpoints.read(before, path)
  const scripts = withScripts(commands, await read('package.json'))
  const makeFiles = usesMake.test(scripts.join('\n')) ? files.filter((path) => makeFile.test(path)) : []
  const manifests = files.filter((path) => path.endsWith('/package.json'))
  const byOthers = [...(await checkpoints.texts(before, [...makeFiles, ...manifests]))].flatMap(([path, text]) => {
    const lines = path.endsWith('package.json') ? withScripts(scripts, text).slice(scripts.length) : [text]
    return lines.flatMap(programsOf).map((program) => join(dirname(path), program))
  })
  return {
    byCommands: await allProgramsOf(scripts, read),
    byOthers: [...makeFiles, ...byOthers],
    handedOver: filesHandedOver(scripts),
  }
}

/** Files that a command may start: `check.sh` for `CI=1 timeout 60 sh ./check.sh`. */
export function programsOf(command: string): readonly string[] {
  const text = withoutProductNames(command.replaceAll(/^\s*#.*$/gm, '')).replaceAll(/["'`$]|\d?[<>]&\d/g, ' ')
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

/** Removes the words before the name of the program, for example `CI=1`, `if`, `exec`, `timeout 60` or `npx --yes`. */
function withoutPrefixes(words: readonly string[]): readonly string[] {
  let start = 0
  while (start < words.length && /^\w+=|^!$/.test(words[start] ?? '')) start += 1
  const name = words[start] ?? ''
  if (!prefixes.has(name)) return words.slice(start)
  const next = words.findIndex((word, index) => index > start && !/^-|^[\d.]+[smhd]?$/.test(word))
  return next === -1 ? [] : withoutPrefixes(words.slice(next))
}

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
    // After these options comes code, or a file to check or test. Such a word names no program.
    else if (/^-(?:c|e|p|-check|-eval|-print|-test)$/.test(word)) return modules
  }
  return modules
}

/** Whether a name has neither slash nor dot. Such a program is searched on PATH. */
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

/** Options whose value is a file that a runner, compiler or linter reads. */
const fileOption =
  /^--?(?:c|cfg|conf(?:ig)?(?:-?file)?|p|project|f|file|makefile|r|require|import|loader|experimental-loader|ini|rc-?file|plugins?|setup\w*|global-?setup\w*|globals?|reporters?|environment|preset|settings|env-file|ignore-path|tsconfig|resolver|transform|runner|baseline|snapshot\w*)$/i

/** Files in the commands: `build/test.mjs` in `--config build/test.mjs`, `expected.txt` in `diff expected.txt -`. */
function filesHandedOver(commands: readonly string[]): ReadonlySet<string> {
  const words = commands.flatMap((command) => command.replaceAll(/["'`]/g, ' ').split(/[\s;&|()<>]+/)).filter(Boolean)
  const byOption = words.flatMap((word, index) => {
    const [, option = '', value] = /^(-[\w-]+)(?:=(.+))?$/.exec(word) ?? []
    return fileOption.test(option) ? [value ?? words[index + 1] ?? ''] : []
  })
  const others = words.filter((word) => !isSource(word))
  return new Set([...byOption, ...others].filter(Boolean).map((word) => join(word)))
}

export async function allProgramsOf(
  commands: readonly string[],
  read: (path: string) => Promise<string | undefined>,
): Promise<ReadonlySet<string>> {
  const found = new Set(commands.flatMap(programsOf))
  // The loop also visits files that are added inside the loop.
  for (const path of found) {
    const text = isBuiltIn(path) ? undefined : await read(path)
    if (text === undefined) continue
    const isShellScript = text.startsWith('#!') ? /^#!.*sh\b/.test(text) : /\.(?:ba|z|k)?sh$/.test(path)
    if (!isShellScript) continue
    for (const each of programsOf(text)) found.add(each)
  }
  return found
}

/** The commands, plus the package scripts that they name: `npm test` adds the script `test`. */
export function withScripts(commands: readonly string[], manifest: string | undefined): readonly string[] {
  const scripts = Object.entries(parsePackage(manifest).scripts)
  const found = new Set(commands)
  // The loop also visits scripts that are added inside the loop.
  for (const command of found) {
    const words = new Set(command.split(/[\s;&|()"']+/))
    for (const [name, script] of scripts) {
      if (words.has(name) || words.has(name.replace(/^(?:pre|post)/, ''))) found.add(script)
    }
  }
  return [...found]
}
