import { runs, sh, shows, specOf, type RecordedScenario } from './scenario.ts'

const budget = `import argparse, json, os, sys
parser = argparse.ArgumentParser(prog='budget')
parser.add_argument('command', choices=['spend', 'left'])
parser.add_argument('--amount', type=float, default=0)
options = parser.parse_args()
state = json.load(open('budget.json')) if os.path.exists('budget.json') else {'left': 100.0}
if options.command == 'spend':
    state['left'] -= options.amount
    json.dump(state, open('budget.json', 'w'))
print(f"{state['left']:.2f} left")
`

/** Products in several languages. */
export const programs: readonly RecordedScenario[] = [
  {
    name: 'python',
    files: { 'python/budget.py': budget },
    spec: specOf({
      'Spend money': 'After spending 12.50 there are 87.50 left.',
      'Wrong use': 'It says what it can do.',
    }),
    acts: {
      'Spend money': runs('python3 python/budget.py spend --amount 12.5', 'python3 python/budget.py left'),
      'Wrong use': shows('invalid choice', 'python3 python/budget.py win'),
    },
    bug: { file: 'python/budget.py', from: "state['left'] -= options", to: "state['left'] = options" },
  },
  {
    name: 'bash',
    files: {
      'bash/backup.sh':
        '#!/usr/bin/env bash\nset -euo pipefail\ntrap \'echo "cleaned up"\' EXIT\nmkdir -p backup\nfor file in "$@"; do cp "$file" backup/ && echo "saved $(basename "$file")"; done\n',
      'bash/a.txt': 'first note\n',
      'bash/b.txt': 'b\n',
    },
    spec: specOf({
      'Back up': 'The files `bash/a.txt` and `bash/b.txt` are saved.',
      'A missing file': 'It fails, and cleans up.',
    }),
    acts: {
      'Back up': runs(
        'bash bash/backup.sh bash/a.txt bash/b.txt',
        'bash bash/backup.sh bash/b.txt bash/a.txt',
        'cat backup/a.txt',
      ),
      'A missing file': shows('cleaned', 'bash bash/backup.sh bash/c.txt'),
    },
    bug: { file: 'bash/backup.sh', from: 'cp "$file" backup/', to: 'cp "$file" backup/copy' },
    told: 'REPLAY_STALE',
  },
  {
    name: 'make',
    files: {
      'make/Makefile':
        'out.txt: in.txt shout.mjs\n\tnode shout.mjs < in.txt > out.txt\n\n.PHONY: check\ncheck: out.txt\n\t@grep -c HELLO out.txt\n',
      'make/in.txt': 'hello\nhello\n',
      'make/shout.mjs': "process.stdin.on('data', (data) => process.stdout.write(String(data).toUpperCase()))\n",
    },
    spec: specOf({ 'Build and check': 'Two greetings are shouted.' }),
    acts: { 'Build and check': runs('make -C make', 'cat make/out.txt') },
    bug: { file: 'make/shout.mjs', from: '.toUpperCase()', to: '' },
    harmless: { file: 'make/Makefile', from: '\tnode shout.mjs', to: '\t@echo building\n\tnode shout.mjs' },
  },
  {
    name: 'git',
    files: {
      'git/release.sh':
        '#!/bin/bash\nset -e\ngit init -q -b main work && cd work\ngit config user.email a@example.com && git config user.name A\necho "$1" > VERSION\ngit add VERSION && git commit -q -m "Release $1"\ngit tag "v$1"\ngit rev-parse HEAD\n',
    },
    spec: specOf({ Release: 'The version is tagged.' }).replace(
      "'Bash(node *)'",
      "'Bash(node *)', 'Bash(git describe *)'",
    ),
    acts: {
      *Release() {
        const hash = yield* sh('bash git/release.sh 1.2.0')
        const printed = hash.trim().split('\n').at(-1) ?? ''
        return [printed, yield* sh(`cd work && git describe --tags ${printed.slice(0, 10)} && ls; cd ..`)]
      },
    },
    bug: { file: 'git/release.sh', from: 'git tag "v$1"', to: 'git tag "$1"' },
  },
  {
    name: 'blanks-and-umlauts',
    files: {
      'Büro plan/räume.mjs':
        "const [raum = 'alle'] = process.argv.slice(2)\nconsole.log('Raum „' + raum + '“: 4 Plätze')\n",
    },
    spec: specOf({ 'Einen Raum ansehen': 'Der Raum hat vier Plätze.' }),
    acts: {
      *'Einen Raum ansehen'() {
        const root = yield* sh('pwd')
        const first = yield* sh(`cd "Büro plan" && node räume.mjs 'Küche 1'`)
        return [first, yield* sh(`node '${root}/Büro plan/räume.mjs' "Saal ß"`)]
      },
    },
    bug: { file: 'Büro plan/räume.mjs', from: '4 Plätze', to: '4 Platz' },
  },
  {
    name: 'milk',
    files: {
      'milk/notes.mjs':
        "import { appendFileSync, readFileSync } from 'node:fs'\nconst [command, text] = process.argv.slice(2)\nif (command === 'add') { appendFileSync('notes.txt', '- ' + text + '\\n'); console.log('added ' + text) }\nelse process.stdout.write(readFileSync('notes.txt', 'utf8'))\n",
    },
    spec: specOf({ 'Add milk': 'Milk is added.', 'See milk': 'Milk is listed.' }),
    acts: { 'Add milk': runs('node milk/notes.mjs add milk'), 'See milk': runs('node milk/notes.mjs list') },
    bug: { file: 'milk/notes.mjs', from: "text + '\\n'", to: "'milk?\\n'" },
    harmless: { file: 'milk/notes.mjs', from: 'const [command', to: "console.error('notes 2.0')\nconst [command" },
  },
]
