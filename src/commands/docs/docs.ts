import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ownCommand, ownFile } from '../../system/mdtest-package.ts'
import { didYouMean } from '../../system/text/did-you-mean.ts'
import { command, type CommandSyntax } from '../common/define-command.ts'
import { SetUpError } from '../common/cli.ts'

export const docsSyntax = {
  command: 'docs',
  usage: ['[topic]'],
  about: 'Prints a page of the documentation of this version, as markdown. Without a topic it lists all pages.',
  flags: {},
  examples: ['first-hour'],
  exitCodes: '0 done, 2 there is no such page.',
} satisfies CommandSyntax

export const docs = command(docsSyntax, async ({ paths }, { stdout }) => void stdout.write(readDocs(paths)))

export function readDocs(topics: readonly string[]): string {
  const pages = readPages()
  if (topics.length > 0) return topics.map((topic) => findPage(topic, pages).text).join('\n')
  const width = Math.max(...pages.map(({ topic }) => topic.length))
  const lines = kinds.flatMap((kind) => [
    '',
    `${kind}:`,
    ...pages.filter((page) => page.kind === kind).map(({ topic, title }) => `  ${topic.padEnd(width)}  ${title}`),
  ])
  return `mdtest docs <topic> prints one of these pages. Read \`first-hour\` first, then \`trust\`.\n${lines.join('\n')}\n`
}

/** In the order in which users should read them. */
const kinds = ['Tutorial', 'How-to', 'Explanation', 'Reference']

function findPage(asked: string, pages: readonly Page[]): Page {
  const topic = asked.toLowerCase().replaceAll(/^docs\/|\.md$/g, '')
  const found = pages.find((page) => page.topic === topic)
  if (found !== undefined) return found
  const topics = pages.map((page) => page.topic)
  throw new SetUpError(`There is no page \`${asked}\`.${didYouMean(topic, topics)} \`${ownCommand} docs\` lists them.`)
}

interface Page {
  readonly topic: string
  readonly kind: string
  readonly title: string
  readonly text: string
}

function readPages(): readonly Page[] {
  const folder = join(dirname(ownFile('vitest-mdtest/package.json')), 'docs')
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8')
      const path = name.replaceAll('\\', '/')
      const [, title = path, kind = ''] = /^# (.+)\n\n_([\w-]+)\._/.exec(text) ?? []
      return { topic: path.replace(/\.md$/, ''), title, kind, text }
    })
    .toSorted((a, b) => (a.topic < b.topic ? -1 : 1))
}
