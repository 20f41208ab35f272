import { describe, expect, test } from 'vitest'
import { LogTexts } from '../../../src/host/evidence/log-texts.ts'
import { useFolders, type TestFolder } from '../use-folder.ts'

const newFolder = useFolders()
const log = `---
written-by: mdtest
status: pass
run: 7f3c9a
steps:
  - id: 1-list
    status: pass
    observed: The list shows 1 [ ] milk
    evidence:
      - quote: 1 [ ] milk
---
I ran the program. It said:

1 [ ] milk
2 [ ] eggs
`

async function folder(): Promise<TestFolder> {
  const made = newFolder()
  await made.write({
    'notes.logs/2020-01-01T10-00-00Z.log.md': log,
    'notes.logs/2020-01-01T10-00-00Z.verdict.json': '{"version":1,"outcome":"pass","quote":"1 [ ] milk"}',
    'shop.logs/2020-01-01T10-00-00Z.log.md': log.replaceAll('milk', 'bread'),
    'notes.logs/T/list.txt': '1 [ ] milk\n',
    'data/notes.txt': '1 [ ] milk\n2 [ ] eggs\n',
    'copy.md': log,
  })
  return made
}

/** What is left of a command's output. */
async function left(
  title: string,
  text: string,
  runsNoProduct = true,
  before: readonly string[] = [],
): Promise<string> {
  const made = await folder()
  const texts = new LogTexts({ cwd: made.at(''), logFile: made.at('notes.logs/2026-01-01T10-00-00Z.log.md') })
  const seen = (command: string): Parameters<LogTexts['without']>[0] => ({
    kind: 'command',
    tool: 'Bash',
    title: command,
    files: [],
  })
  for (const command of before) texts.without(seen(command), '', true)
  return texts.without(seen(title), text, runsNoProduct).trim()
}

describe('nothing is left of a log', () => {
  test.for([
    ['cat *.logs/2020*.md', log],
    ['cat notes.l*/*', log],
    ['cd notes.logs && tail -n 2 2020*', '1 [ ] milk\n2 [ ] eggs'],
    ['tail -n 2 */2020*Z.log.md', '1 [ ] milk\n2 [ ] eggs'],
    ['sed -n 14p n*.logs/*Z.log.md', '1 [ ] milk'],
    ['cat notes.logs/2020-01-01T10-00-00Z.verdict.json', '{"version":1,"outcome":"pass","quote":"1 [ ] milk"}'],
    ['grep -rh quote: .', '      - quote: 1 [ ] milk'],
    ['grep -rh "^1" .', '1 [ ] milk'],
    ['grep -r "^1" .', './notes.logs/2020-01-01T10-00-00Z.log.md:1 [ ] milk'],
    ['F=$(ls -d *.l*); cat $F/*.md', '1 [ ] milk'],
    ['ls */*.md | xargs tail -n 2', '1 [ ] milk\n2 [ ] eggs'],
    ["find . -name '*.log.md' -exec tail -n 2 {} +", '1 [ ] milk'],
    ['cat *.logs/*', '1 [ ] bread'],
  ])('%j', async ([title = '', text = '']) => {
    expect(await left(title, text)).toBe('')
  })

  test('under another name', async () => {
    const text = 'I ran the program. It said:\n\n1 [ ] milk'
    expect(await left('cat x.txt', text, true, ['cp notes.logs/2020*.md x.txt'])).toBe('')
    expect(await left('cp notes.logs/2020* copy.txt; cat copy.txt', text)).toBe('')
    expect(await left('cat data/notes.txt', text, true, ['cat *.logs/*.md > data/notes.txt'])).toBe('')
  })

  test('beside what a program prints', async () => {
    const both = '1 [ ] wine\n    observed: The list shows 1 [ ] milk\n      - quote: 1 [ ] milk'
    expect(await left('node notes.mjs list; node -e "show()"', both, false)).toBe('1 [ ] wine')
    expect(await left('node notes.mjs list; cat *.logs/*.md', `1 [ ] wine\n${log}`, false)).toBe('1 [ ] wine')
  })
})

describe('what a log has of the product is left where the product says it again', () => {
  test.for([
    ['node notes.mjs list', '1 [ ] milk\n2 [ ] eggs', false],
    ['node notes.mjs list | grep milk', '1 [ ] milk', false],
    ['cat data/notes.txt', '1 [ ] milk\n2 [ ] eggs', true],
    ['cat data/*.txt', '1 [ ] milk\n2 [ ] eggs', true],
    ['cd data && head -n 1 notes.txt', '1 [ ] milk', true],
    ['grep -rn milk data', 'data/notes.txt:1:1 [ ] milk', true],
    ['grep -rn milk .', './data/notes.txt:1:1 [ ] milk', true],
    ['cut -c 1-3 data/notes.txt', '1 [', true],
    ['cat notes.logs/T/list.txt', '1 [ ] milk', true],
    ['ls notes.logs data', 'data:\nnotes.txt', true],
    ['node status.mjs', 'status: open\nobserved: 3', false],
    ['cat data/notes.txt', 'status: open', true],
  ] as const)('%j', async ([title, text, runsNoProduct]) => {
    expect(await left(title, text, runsNoProduct)).toBe(text)
  })
})
