import { writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { dialectPlaces } from '../../spec/dialects/dialect-places.ts'
import { describeFileError } from '../../system/files/file-errors.ts'
import { plainText } from '../../system/text/plain-text.ts'
import { command, flag, type CommandSyntax } from '../common/define-command.ts'
import { discoverSpecs } from '../common/find-specs.ts'
import { SetUpError } from '../common/cli.ts'
import { indent } from '../common/styled-text.ts'
import { suiteRoot } from '../common/suite.ts'
import { vitest } from './add-plugin.ts'
import { chooseRunner, planConfig, readIfThere, readManifest, type Change } from './plan-config.ts'

export const initSyntax = {
  command: 'init',
  usage: ['[options]'],
  about: `Adds mdtest to the configuration of Vitest, Vite or Jest, or creates one (if there is a package.json). Includes existing
specs of other tools. Creates an example if there are no specs, and adds the logs to .gitignore. Prints what it did. Existing
content stays as it is.`,
  flags: {
    dir: flag('-d, --dir DIR', 'directory of the configuration (default: the current directory)'),
    dryRun: flag('--dry-run', 'show what would be done, without doing it'),
  },
  examples: ['', '--dry-run'],
  exitCodes: '0 done, even if there was nothing to do, 2 nothing was done: the reason is on stderr.',
} satisfies CommandSyntax

export const init = command(initSyntax, async ({ paths: [path], dir: asked, dryRun = false }, { cwd, stdout }) => {
  if (path !== undefined)
    throw new SetUpError(`\`${path}\`: \`mdtest init\` takes no paths; name a directory by \`--dir\`.`)
  const dir = await suiteRoot(asked, cwd)
  const manifest = await readManifest(dir)
  const runner = chooseRunner(dir, manifest)
  const options = await dialectOptions(dir)
  const config = runner && (await planConfig(dir, { runner, manifest, options }))
  const example = options === '' ? await planExample(dir) : undefined
  const changes = [config, example, await planIgnore(dir)].filter((change) => change !== undefined)
  for (const change of changes) {
    if (!dryRun) await make(change)
    stdout.write(formatChange(change, { cwd, isDone: !dryRun }))
  }
  if (changes.length === 0)
    stdout.write(`Nothing to do: ${runner ? 'plugin, ' : ''}specs and ignored logs are there.\n`)
  // If there is already a configuration, Vitest is installed, perhaps in a folder above.
  const needsVitest = runner === vitest && config !== undefined && config.before === undefined
  const missing = [...(needsVitest ? ['vitest'] : []), 'vitest-mdtest'].filter((name) => !manifest.has(name))
  if (runner && missing.length > 0) stdout.write(`Then install: npm i -D ${missing.join(' ')}\n`)
  if (changes.length > 0) stdout.write(`Run the specs: ${runner?.command ?? 'npx vitest-mdtest run'}\n`)
})

function formatChange(
  { file, before, after }: Change,
  { cwd, isDone }: { readonly cwd: string; readonly isDone: boolean },
): string {
  const [done, toDo] = before === undefined ? ['created', 'create'] : ['changed', 'change']
  const there = new Set(before?.split(/\r?\n/))
  const added = after
    .split(/\r?\n/)
    .filter((line, index, lines) => !there.has(line) && (line !== '' || index < lines.length - 1))
  const lines = [
    `${isDone ? done : `would ${toDo}`} ${relative(cwd, file)}`,
    ...indent(added.map((line) => `+ ${line}`.trimEnd())),
  ]
  return `${plainText(lines.join('\n'))}\n\n`
}

async function make({ file, before, after }: Change): Promise<void> {
  try {
    // `wx` fails if the file was created in the meantime.
    await writeFile(file, after, before === undefined ? { flag: 'wx' } : {})
  } catch (error: unknown) {
    throw new SetUpError(`\`${file}\` cannot be written: ${describeFileError(error)}`)
  }
}

const exampleSpec = `---
agent: none
---

# Example

A heading without headings below it is one test. Here no agent acts: mdtest runs the code blocks, and text like this is
for readers. In a spec without \`agent: none\` a coding agent does what the text says: that needs Claude Code or Codex,
installed and logged in.

## Node.js adds numbers

\`\`\`console
$ node -p "1 + 2"
3
\`\`\`
`

async function planExample(dir: string): Promise<Change | undefined> {
  const specs = await discoverSpecs(dir)
  return specs.length > 0 ? undefined : { file: join(dir, 'example.test.md'), after: exampleSpec }
}

const ignored = '*.logs/'
const alike: readonly string[] = [ignored, '*.logs', '**/*.logs/', '**/*.logs']

async function planIgnore(dir: string): Promise<Change | undefined> {
  const file = join(dir, '.gitignore')
  const before = await readIfThere(file)
  if (before === undefined) return { file, after: `${ignored}\n` }
  if (before.split(/\r?\n/).some((line) => alike.includes(line.trim()))) return undefined
  const lineBreak = before.includes('\r\n') ? '\r\n' : '\n'
  const gap = before === '' || before.endsWith('\n') ? '' : lineBreak
  return { file, before, after: `${before}${gap}${ignored}${lineBreak}` }
}

/** Options of the plugin if the folder contains specs of other tools, otherwise an empty string. */
async function dialectOptions(dir: string): Promise<string> {
  const entries: string[] = []
  for (const [name, [glob = '']] of Object.entries(dialectPlaces)) {
    const files = glob === '' ? [] : await discoverSpecs(dir, [glob])
    if (files.length === 0) continue
    const atRoot = glob.replace(/^\*\*\//, '')
    const isAtRoot = files.every(({ file }) => relative(dir, file).startsWith(`${atRoot.split('/')[0]}/`))
    entries.push(`${/^\w+$/.test(name) ? name : `'${name}'`}: ['${isAtRoot ? atRoot : glob}']`)
  }
  return entries.length === 0 ? '' : `{ dialects: { ${entries.join(', ')} } }`
}
