import { byModel, report, run } from '../support/model.ts'

export default {
  front: ["allow: ['Bash(node ids.mjs *)']"],
  spec: `# Ids

## Add a note

Run \`node ids.mjs add milk\`. It prints an id.

- [ ] \`node ids.mjs show\` with the id prints "milk is there"
- [ ] \`node ids.mjs remove\` with the id prints "removed" and the id
`,
  files: {
    'ids.mjs': `import { existsSync, readFileSync, writeFileSync } from 'node:fs'
const all = existsSync('ids.json') ? JSON.parse(readFileSync('ids.json', 'utf8')) : {}
const [command, word] = process.argv.slice(2)
const id = command === 'add' ? 'n' + Math.random().toString(36).slice(2, 10) : word
if (command === 'add') all[id] = word
const said = { add: 'id: ' + id, show: all[word] + ' is there', remove: 'removed ' + id }
if (command === 'remove') delete all[id]
writeFileSync('ids.json', JSON.stringify(all))
console.log(said[command])
`,
  },
  ...byModel('claude', 'Keeps an id in a variable, and uses it in later commands.', function* () {
    yield run('ID=$(node ids.mjs add milk | cut -d" " -f2); echo "the id is $ID"')
    yield run('node ids.mjs show "$ID"')
    yield run('[ -n "$ID" ]')
    const { text } = yield run('node ids.mjs remove "$ID"')
    const removed = /removed n\w+/.exec(text)?.[0] ?? 'nothing was removed'
    yield report('1-add-a-note', {
      checks: [
        { n: 1, status: 'pass', evidence: [{ quote: 'milk is there' }] },
        { n: 2, status: 'pass', evidence: [{ quote: removed }] },
      ],
    })
  }),
}
