import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CommandSyntax, Flag } from '../../src/commands/common/define-command.ts'
import { runSyntax } from '../../src/commands/run/flags.ts'
import { documented } from './documented-commands.ts'
import { frontMatterSchema } from './front-matter-schema.ts'
import { root } from './tracked-files.ts'

const marked = /(?<=<!-- made: ([\w ]+) -->\n)[^]*?(?=<!-- end -->)/g

/** A page whose lists between `<!-- made: NAME -->` and `<!-- end -->` are made from the code. */
export function fillLists(page: string): string {
  return page.replaceAll(marked, (_, name: string) => `\n${lists.get(name)?.() ?? `No list is called ${name}.`}\n\n`)
}

export function listNames(page: string): readonly string[] {
  return [...page.matchAll(marked)].map(([, name = '']) => name)
}

export const lists: ReadonlyMap<string, () => string> = new Map([
  ['options', listOptions],
  ['front matter', listKeys],
  ...documented.map(([name, , syntax]) => [`flags ${name}`, () => listFlags(syntax)] as const), // a pair
])

/** Where more is said of an option, and of the key of front matter that is called the same. */
const more: Readonly<Record<string, string>> = {
  agent: 'agents.md',
  executor: 'trust.md#who-executes',
  maxCostUsd: 'agents.md#cost',
  minAssurance: 'trust.md',
  afterFailure: 'blocks.md#after-a-failure',
  replay: 'recordings.md#when-it-is-replayed',
  reproduce: 'recordings.md#repeated-before-it-counts',
  secrets: 'security.md#secrets',
  watch: 'watch.md',
  repeats: 'front-matter.md#repeated-scenarios',
  requires: 'front-matter.md#requirements',
  sideEffects: 'front-matter.md#side-effects',
  cwd: 'front-matter.md#a-copy-for-each-scenario',
  writes: 'reasons.md#changed-sources',
  include: 'tables.md#included-files',
  mcpServers: 'browser.md#further-tools',
}

/** In options alone: the same word is another key of front matter. */
const ofOptions = ['include']

function listOptions(): string {
  return formatItems(
    readOptions().map(({ name, text, preset }) => {
      const said = preset === undefined ? '' : ` Default ${codeOf(preset)}.`
      return `\`${name}\`: ${firstSentence(text)}${said}${ofOptions.includes(name) ? '' : linkOf(name)}`
    }),
  )
}

interface DocumentedOption {
  readonly name: string
  readonly text: string
  readonly preset: string | undefined
}

/** The options with their comments, as the source has them. */
function readOptions(): readonly DocumentedOption[] {
  const source = readFileSync(join(root, 'src/plan/options/options.ts'), 'utf8')
  const [options = '', ofLogs = ''] = source
    .slice(source.indexOf('export interface Options'))
    .split('readonly logs?: {')
  const read = (part: string, prefix: string): readonly DocumentedOption[] =>
    [...part.matchAll(/\/\*\*((?:(?!\*\/)[^])*)\*\/\s+readonly (\w+)\?:/g)].map(([, comment = '', name = '']) => {
      const [text = '', preset] = comment
        .replaceAll(/^\s*\*/gm, '')
        .replaceAll('**\\/', '**/')
        .split('@default')
      return { name: `${prefix}${name}`, text: text.trim(), preset: preset?.trim() }
    })
  return [...read(options, ''), ...read(ofLogs, 'logs.')]
}

function firstSentence(text: string): string {
  return /^[^]*?\.(?=\s|$)/.exec(text.replaceAll(/\s+/g, ' '))?.[0] ?? text
}

/** A plain value is code. */
function codeOf(preset: string): string {
  return / (?:where|without) /.test(preset) ? preset.replaceAll(/'(\w+)'/g, '`$1`') : `\`${preset}\``
}

function listKeys(): string {
  const options = readOptions().map(({ name }) => name)
  const keys = Object.entries(frontMatterSchema().properties ?? {}).map(([key, schema]) => {
    const name = key.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
    const text = (typeof schema === 'object' ? schema.description : undefined) ?? ''
    const purpose = firstSentence(text)
    const isOption = options.includes(name) && !ofOptions.includes(name)
    return {
      key,
      form: text.slice(purpose.length).trim(),
      purpose: isOption ? '' : `${purpose} `,
      link: isOption ? '' : linkOf(name),
    }
  })
  return formatItems(keys.map(({ key, form, purpose, link }) => `\`${key}\`: ${purpose}${form}${link}`))
}

function listFlags(syntax: CommandSyntax): string {
  const ofRun = syntax === runSyntax ? [] : Object.values<Flag>(runSyntax.flags)
  const flags = Object.values<Flag>(syntax.flags)
  const same = ofRun.filter((each) => flags.includes(each))
  const others = ofRun.filter((each) => !flags.includes(each))
  const own = flags.filter((each) => !ofRun.includes(each))
  const items = own.map((each) => `\`${shortOf(each)}--${each.flag}${valueOf(each)}\`: ${withCode(each.summary)}`)
  const run = '[`mdtest run`](command-line.md#mdtest-run)'
  const shared =
    others.length < same.length ? `all flags of ${run}, except ${namesOf(others)}` : `${namesOf(same)}: as for ${run}`
  const list = formatItems([...items, ...(same.length === 0 ? [] : [shared])])
  return `${list === '' ? '' : `${list}\n\n`}${wrap(`Exit codes: ${withCode(syntax.exitCodes)}`, '')}`
}

function namesOf(flags: readonly Flag[]): string {
  return flags.map((each) => `\`${shortOf(each)}--${each.flag}\``).join(', ')
}

function shortOf({ short }: Flag): string {
  return short === undefined ? '' : `-${short}, `
}

function valueOf({ value }: Flag): string {
  return value === undefined ? '' : value.startsWith('[') ? value : ` ${value}`
}

/** Flags, globs and what stands in quotes are code. */
function withCode(text: string): string {
  return text.replaceAll(
    /"([^"]+)"|(?<![`\w/.-])(--[\w-]+|\{[^}]*\}|\S*\*\S*?)(?=[\s,;.)]|$)/g,
    (_, quoted, word) => `\`${(quoted ?? word).trim()}\``,
  )
}

function linkOf(name: string): string {
  const link = more[name]
  return link === undefined ? '' : ` [More](${link}).`
}

function formatItems(items: readonly string[]): string {
  return items.map((item) => wrap(`- ${item}`, '  ')).join('\n')
}

/** No line ends within code. */
function wrap(text: string, indent: string): string {
  const words = text.match(/(?:`[^`]*`|\S)+/g) ?? []
  const lines: string[] = []
  let line = ''
  for (const word of words) {
    const longer = line === '' ? word : `${line} ${word}`
    if (longer.length <= 115) line = longer
    else {
      lines.push(line)
      line = `${indent}${word}`
    }
  }
  return [...lines, line].join('\n')
}
