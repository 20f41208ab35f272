import { describe, expect, it } from 'vitest'
import { useScenario } from '../../scenario/use-scenario.ts'
import { cited, recorderOfNotes, type Told } from './record-calls.ts'

const openScenario = useScenario()

const notes = `import { existsSync, readFileSync, writeFileSync } from 'node:fs'
const file = 'notes.json'
const all = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []
const [command, text] = process.argv.slice(2);
if (command === 'add') {
  all.push(text)
  writeFileSync(file, JSON.stringify(all))
  console.log('added ' + text)
} else if (command === 'list') for (const [n, note] of all.entries()) console.log(n + 1 + ' [ ] ' + note)
else { console.error('notes: unknown command ' + command); process.exitCode = 2 }
`

const files = {
  'notes.mjs': notes,
  'README.md': '# Notes\n\nIt prints "added milk".\n',
  'package.json':
    '{ "name": "notes", "description": "added milk", "scripts": { "hello": "echo added milk", "notes": "node notes.mjs", "lint": "node node_modules/lint/main.mjs" } }\n',
  'data.json': '{ "result": "added milk" }\n',
  'node_modules/shout/main.mjs':
    'import { readFileSync } from "node:fs"\nconsole.log(JSON.parse(readFileSync(process.argv[2], "utf8")).result.toUpperCase())\n',
  'node_modules/run/main.mjs':
    "import { pathToFileURL } from 'node:url'\nawait import(pathToFileURL('notes.mjs').href)\n",
  'node_modules/lint/main.mjs': `import { readFileSync } from 'node:fs'
const text = readFileSync('notes.mjs', 'utf8')
if (text.includes('console.error')) console.log('notes.mjs: prefer console.warn')
if (text.includes(';')) console.log('notes.mjs: extra semicolon')
`,
  'npm/report.txt': 'added milk\n',
  'words.py': 'print("added milk")\n',
}

const add: Told = { command: 'node notes.mjs add milk' }

const record = recorderOfNotes(openScenario, 'node notes.mjs', files)
const look = { isLook: true }

// `vacuous.test.ts` has each rule; here are other languages, packages and scripts.
describe.concurrent('never records what the product need not have done', () => {
  it.each<readonly [string, readonly Told[]]>([
    [
      'words of a failure beside a package',
      [
        cited('node node_modules/shout/main.mjs package.json || echo code 1', 'code 1'),
        cited('node notes.mjs ad milk 2> /dev/null || echo "added milk"'),
      ],
    ],
    ['the README', [cited('grep added README.md', 'It prints "added milk".', look)]],
    ['package.json', [cited('cat package.json', undefined, look)]],
    ['package.json, by a program', [cited(`node -p "require('./package.json').description"`)]],
    ['a script of package.json', [cited('npm run -s hello')]],
    // What the machine says.
    ['date', [cited('date +%Y', new Date().getFullYear().toString())]],
    ['git --version', [cited('git --version', 'git version')]],
    ['node --version', [cited('node --version', process.version)]],
    ['output that is thrown away', [{ command: 'node notes.mjs add milk > /dev/null 2>&1 || true' }]],
  ])('%s', async (_what, told) => {
    expect(await record(...told)).toMatch(/^(?:VACUOUS|NOT_ELIGIBLE|NEEDS_THE_MODEL)/)
  })
})

describe.concurrent('records an honest command', () => {
  it.each<readonly [string, readonly Told[]]>([
    ['whose output is cut', [cited('node notes.mjs add milk | tail -1')]],
    ['that counts', [add, cited('node notes.mjs list | grep -c .', '2')]],
    ['and looks at its file', [add, cited('cat notes.json', '["bread","milk"]', look)]],
    [
      'of a program that drives it',
      [
        {
          writes: [
            'drive.mjs',
            'import { execFileSync } from "node:child_process"\nprocess.stdout.write(execFileSync("node", ["notes.mjs", "add", "milk"]))\n',
          ],
        },
        cited('node drive.mjs'),
      ],
    ],
    ['in another language', [cited('python3 words.py')]],
    ['of a script', [cited('npm run -s notes add milk')]],
    ['of a script that judges the source', [cited('npm run -s lint', 'notes.mjs: prefer console.warn')]],
    ['of a script that tells of style', [cited('npm run -s lint', 'notes.mjs: extra semicolon')]],
    ['of an installed package below the product', [cited('node node_modules/run/main.mjs add milk')]],
    ['of an installed package', [cited('node node_modules/shout/main.mjs data.json', 'ADDED MILK')]],
  ])('%s', async (_what, told) => {
    expect(await record(...told)).toMatch(/^```/)
  })
})
