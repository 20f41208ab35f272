import { lineWith, runs, sh, shows, specOf, write, type RecordedScenario } from './scenario.ts'

const words = `const [, , ...args] = process.argv
console.log(args.length + ' words')
for (const arg of args) console.log('<' + arg + '>')
`

const stock = `import { existsSync, readFileSync, writeFileSync } from 'node:fs'
const file = process.env.STOCK ?? 'stock.json'
const all = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
const [command, name, count = '1'] = process.argv.slice(2)
if (command === 'add') {
  all[name] = (all[name] ?? 0) + Number(count)
  writeFileSync(file, JSON.stringify(all))
  console.log('stocked ' + name)
} else if (command === 'show') {
  for (const [one, n] of Object.entries(all)) console.log(one + ' x ' + n)
} else {
  console.error('stock: unknown command ' + command)
  process.exitCode = 2
}
`

/** Shapes of commands: how agents write them. */
export const shells: readonly RecordedScenario[] = [
  {
    name: 'directories',
    files: { 'directories/shop/stock.mjs': stock },
    spec: specOf({
      'Stock the shop': 'Put three pears into the shop.',
      'Look from elsewhere': 'The list has the pears.',
    }),
    acts: {
      *'Stock the shop'() {
        const root = yield* sh('pwd')
        yield* sh('cd directories/shop && node stock.mjs add pears 3')
        return [
          yield* sh(`cd ${root}/directories/shop && node ${root}/directories/shop/stock.mjs add figs; cd ${root}`),
        ]
      },
      'Look from elsewhere': shows('pears', 'cd directories/shop && node stock.mjs show'),
    },
    bug: { file: 'directories/shop/stock.mjs', from: '(all[name] ?? 0) + Number(count)', to: '(all[name] ?? 0) + 1' },
    harmless: {
      file: 'directories/shop/stock.mjs',
      from: "console.error('stock: unknown",
      to: "console.error('stock: no such",
    },
  },
  {
    name: 'quoting',
    files: { 'quoting/words.mjs': words },
    spec: specOf({ 'Keep words together': 'Words in quotes stay one word.' }),
    acts: {
      // The other lines are its own words.
      'Keep words together': shows(
        '5 words',
        `node quoting/words.mjs 'it'\\''s "quoted" $HOME \`x\`' "two\nlines" plain\\ blank $'tab\\there' ""`,
      ),
    },
    bug: { file: 'quoting/words.mjs', from: "'<' + arg + '>'", to: "'<' + arg.trim().split(' ')[0] + '>'" },
    harmless: { file: 'quoting/words.mjs', from: 'const [, , ...args]', to: '// All of them.\nconst [, , ...args]' },
  },
  {
    name: 'here-documents',
    files: { 'here/stock.mjs': stock },
    spec: specOf({ 'Stock from a list': 'Write a list and stock each line of it.' }),
    acts: {
      *'Stock from a list'() {
        yield* write('list.txt', 'tea $HOME\n\ncoffee `x`\n')
        yield* sh('while IFS= read -r line; do\n  [ -n "$line" ] && node here/stock.mjs add "$line"\ndone < list.txt')
        return [lineWith(yield* sh('node here/stock.mjs show < list.txt'), 'coffee'), 'tea $HOME x 1']
      },
    },
    bug: { file: 'here/stock.mjs', from: "one + ' x ' + n", to: "one.split(' ')[0] + ' x ' + n" },
    harmless: { file: 'here/stock.mjs', from: "'stocked ' + name", to: "'now in stock: ' + name" },
  },
  {
    name: 'pipes',
    files: {
      'pipes/visits.mjs': "for (const page of ['/a', '/b', '/a', '/c', '/a', '/b']) console.log('GET ' + page)\n",
    },
    spec: specOf({ 'Count visits': 'Page /a was visited most.' }),
    acts: {
      'Count visits': runs(
        'node pipes/visits.mjs | sort | uniq -c | sort -rn | head -2 | tee top.txt',
        'node pipes/visits.mjs',
      ),
    },
    bug: { file: 'pipes/visits.mjs', from: "'/c', '/a'", to: "'/c', '/c'" },
    harmless: { file: 'pipes/visits.mjs', from: "'/a', '/b', '/a', '/c'", to: "'/b', '/a', '/c', '/a'" },
  },
  {
    name: 'both-streams',
    files: {
      'both/report.mjs':
        "for (let n = 1; n < 4; n += 1) { console.log('part ' + n + ' done'); console.error('warning ' + n) }\n",
    },
    spec: specOf({ 'See both': 'Parts and warnings are told.' }),
    acts: { 'See both': runs('node both/report.mjs', 'node both/report.mjs 2>&1') },
    bug: { file: 'both/report.mjs', from: "console.error('warning ' + n)", to: "console.error('note ' + n)" },
  },
  {
    name: 'exit-codes',
    files: { 'exits/stock.mjs': stock },
    spec: specOf({
      'Refuse what is unknown': 'An unknown command ends with exit code 2 and an error.',
      'Fail again': 'So does another one.',
    }),
    acts: {
      *'Refuse what is unknown'() {
        yield* sh('node exits/stock.mjs add figs')
        return [yield* sh('node exits/stock.mjs sell pears')]
      },
      'Fail again': runs('node exits/stock.mjs throw pears'),
    },
    bug: { file: 'exits/stock.mjs', from: 'process.exitCode = 2', to: 'process.exitCode = 1' },
    told: 'REPLAY_STALE',
  },
  {
    name: 'state-of-the-shell',
    files: { 'state/stock.mjs': stock },
    spec: specOf({
      'Nothing leaks': 'What one command sets is not there for the next.',
      'Nor here': 'Stock is what it was.',
    }),
    acts: {
      *'Nothing leaks'() {
        yield* sh('X=1; node state/stock.mjs add leaked')
        yield* sh('false; echo "X=$X"')
        return [yield* sh('node state/stock.mjs add kept')]
      },
      'Nor here': shows('kept', 'node state/stock.mjs show'),
    },
    bug: { file: 'state/stock.mjs', from: "console.log(one + ' x ' + n)", to: "console.log(one + ' x ' + (n + 1))" },
    harmless: {
      file: 'state/stock.mjs',
      from: "'stock: unknown command '",
      to: "'stock: no such command '",
    },
  },
]
