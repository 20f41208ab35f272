import { atOnce, lineWith, look, runs, sh, shows, specOf, type RecordedScenario } from './scenario.ts'

const orders = `import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
const file = 'orders.json'
const all = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
const save = () => writeFileSync(file, JSON.stringify(all))
const [command, id, text] = process.argv.slice(2)
const started = performance.now()
const open = (fresh) => { all[fresh] = { state: 'open' }; save(); return fresh }
if (command === 'new') {
  console.log('order ' + open(randomBytes(4).toString('hex')) + ' opened at ' + new Date().toISOString())
  console.log('saved in ' + resolve(file))
} else if (command === 'uuid') {
  console.log('{"id":"' + open(randomUUID()) + '","state":"open"}')
} else if (command === 'export') {
  const folder = join(process.argv[3] ?? tmpdir(), 'export-' + randomBytes(4).toString('hex') + '0')
  mkdirSync(folder)
  writeFileSync(join(folder, 'orders.csv'), Object.keys(all).length + ' orders\\n')
  console.log('exported to ' + folder)
} else if (all[id] === undefined) {
  console.error('no order ' + id)
  process.exitCode = 1
} else {
  if (command === 'pay') { all[id].state = 'paid'; save() }
  if (command === 'note') { all[id].note = text; save() }
  console.log(id + ': ' + all[id].state + (all[id].note ? ' (' + all[id].note + ')' : ''))
  console.log('took ' + (performance.now() - started).toFixed(2) + ' ms on ' + new Date().toISOString().slice(0, 10))
}
`

const wordIn = (output: string, pattern: RegExp): string => pattern.exec(output)?.[1] ?? 'nothing'

/** Values that are others each time, and ways of agents. */
export const values: readonly RecordedScenario[] = [
  {
    name: 'minted-ids',
    files: { 'minted/orders.mjs': orders },
    spec: specOf({ 'Open an order': 'An order is opened.', 'Pay another': 'A second order is paid.' }),
    acts: {
      'Open an order': shows('opened', 'node minted/orders.mjs new'),
      *'Pay another'() {
        const id = wordIn(yield* sh('node minted/orders.mjs new'), /order (\w+)/)
        yield* sh(`node minted/orders.mjs pay ${id}`)
        const shown = yield* sh(
          `node minted/orders.mjs show '${id}' && node minted/orders.mjs note "${id}" "for ann-${id}"`,
        )
        return [lineWith(shown, 'paid')]
      },
    },
    bug: { file: 'minted/orders.mjs', from: "state = 'paid'; save()", to: "state = 'paid'" },
    harmless: { file: 'minted/orders.mjs', from: "console.log('saved in '", to: "console.log('kept in '" },
  },
  {
    name: 'dates',
    files: {
      'dates/agenda.mjs':
        "const now = new Date()\nconst day = now.toISOString().slice(0, 10)\nconsole.log('Agenda of ' + day)\nconsole.log('as of ' + now.toISOString().slice(11, 19))\nconsole.log(day + ' 09:00 Stand-up (15 min)')\nconsole.log('generated in ' + (2 + Math.random() * 9).toFixed(1) + ' ms, ' + now.toUTCString())\n",
    },
    spec: specOf({ 'Read the agenda': 'It has the stand-up.' }),
    acts: { 'Read the agenda': runs('node dates/agenda.mjs') },
    bug: { file: 'dates/agenda.mjs', from: 'Stand-up', to: 'Lunch' },
    harmless: {
      file: 'dates/agenda.mjs',
      from: 'const now = new Date()',
      to: 'await new Promise((done) => setTimeout(done, 700))\nconst now = new Date()',
    },
  },
  {
    name: 'temporary-paths',
    files: { 'temporary/orders.mjs': orders },
    only: 'claude',
    spec: specOf({ 'Export orders': 'The export has one order.' }),
    acts: {
      *'Export orders'() {
        yield* sh('node temporary/orders.mjs new')
        yield* sh('node temporary/orders.mjs export')
        const folder = wordIn(yield* sh('node temporary/orders.mjs export .'), /exported to (\S+)/)
        return [yield* sh(`cat ${folder}/orders.csv`)]
      },
    },
    bug: { file: 'temporary/orders.mjs', from: 'Object.keys(all).length', to: 'Object.keys(all)' },
  },
  {
    name: 'ports',
    files: {
      'ports/serve.mjs':
        "import { createServer } from 'node:http'\nimport { writeFileSync } from 'node:fs'\nconst server = createServer((request, response) => response.end('hello ' + request.url.slice(1) + '\\n'))\nserver.listen(0, '127.0.0.1', () => { writeFileSync('port.txt', String(server.address().port)); console.log('listening on port ' + server.address().port) })\nsetTimeout(() => process.exit(0), 20000).unref()\n",
    },
    spec: specOf({ 'Ask the server': 'It greets who asks.' }, 'network: true\n'),
    acts: {
      'Ask the server': shows(
        'hello ann',
        'node ports/serve.mjs > server.log &\nfor n in $(seq 100); do [ -s server.log ] && break; sleep 0.05; done',
        'port="$(cat port.txt)"',
        'curl -s "http://127.0.0.1:$port/ann"',
      ),
    },
    bug: { file: 'ports/serve.mjs', from: 'request.url.slice(1)', to: 'request.url' },
    harmless: { file: 'ports/serve.mjs', from: "'listening on port '", to: "'ready at port '" },
  },
  {
    name: 'counters',
    files: {
      'counters/build.sh':
        '#!/bin/bash\nn=$(( $(cat count 2>/dev/null || echo 0) + 1 ))\necho "$n" > count\necho "build number $n"\necho "pid $$"\n',
    },
    spec: specOf({ 'Build twice': 'The second build has the number 2.' }),
    acts: { 'Build twice': runs('bash counters/build.sh', 'bash counters/build.sh') },
    bug: { file: 'counters/build.sh', from: '+ 1 ))', to: '+ 2 ))' },
    harmless: { file: 'counters/build.sh', from: 'echo "$n" > count', to: 'echo "  $n" > count' },
  },
  {
    name: 'calls-at-once',
    files: { 'atonce/orders.mjs': orders },
    spec: specOf({ 'Ask twice': 'Both answers are right.' }),
    acts: {
      *'Ask twice'() {
        yield* sh('printf \'{"a1":{"state":"open"},"a2":{"state":"paid"}}\' > orders.json')
        const [one = '', two = ''] = yield* atOnce('node atonce/orders.mjs show a1', 'node atonce/orders.mjs show a2')
        return [lineWith(one, 'a1:'), lineWith(two, 'a2:')]
      },
    },
    bug: { file: 'atonce/orders.mjs', from: 'all[id].state +', to: "'open' +" },
  },
  {
    name: 'reads-a-file',
    files: {
      'reads/invoice.mjs':
        "import { writeFileSync } from 'node:fs'\nwriteFileSync('invoice.txt', 'INVOICE\\n\\n2 x tea\\nTotal: 7.80 EUR\\n')\nconsole.log('written')\n",
    },
    spec: specOf({ 'Write an invoice': 'The invoice has the total.' }),
    acts: {
      *'Write an invoice'() {
        yield* sh('node reads/invoice.mjs')
        return [lineWith(yield* look('invoice.txt'), 'Total')]
      },
    },
    bug: { file: 'reads/invoice.mjs', from: '7.80', to: '8.70' },
    harmless: {
      file: 'reads/invoice.mjs',
      from: "console.log('written')",
      to: "console.log('invoice.txt was written')",
    },
  },
  {
    name: 'corrected-tries',
    files: { 'tries/orders.mjs': orders },
    spec: specOf({ 'Note an order': 'An order can have a note.' }),
    acts: {
      *'Note an order'() {
        yield* sh('node tries/order.mjs new')
        yield* sh('ls tries; head -5 tries/orders.mjs')
        yield* sh('node tries/orders.mjs note')
        const id = wordIn(yield* sh('node tries/orders.mjs new'), /order (\w+)/)
        yield* sh(`node tries/orders.mjs note x${id} urgent`)
        return [lineWith(yield* sh(`node tries/orders.mjs note ${id} urgent`), 'urgent')]
      },
    },
    bug: { file: 'tries/orders.mjs', from: 'all[id].note = text', to: 'all[id].note = undefined' },
  },
  {
    name: 'scripts-of-the-agent',
    files: { 'scripts/orders.mjs': orders },
    spec: specOf({ 'Open many': 'Many orders are exported.' }),
    acts: {
      *'Open many'() {
        yield* sh('for n in 1 2 3; do\n  node scripts/orders.mjs new > /dev/null\ndone')
        const folder = wordIn(yield* sh('node scripts/orders.mjs export .'), /exported to (\S+)/)
        return [yield* sh(`cat ${folder}/orders.csv`)]
      },
    },
    bug: { file: 'scripts/orders.mjs', from: "{ state: 'open' }; save();", to: "{ state: 'open' };" },
    harmless: { file: 'scripts/orders.mjs', from: "'export-'", to: "'orders-export-'" },
  },
]
