import { byModel, report, run } from '../support/model.ts'

export default {
  front: ["allow: ['Bash(node many.mjs)']"],
  spec: `# Many notes

## List them

Run \`node many.mjs\`. It lists 1500 notes.

- [ ] The note 700 is done
- [ ] The last note is 1500
`,
  files: {
    'many.mjs': "for (let n = 1; n <= 1500; n += 1) console.log('note ' + n + (n === 700 ? ': done' : ': open'))\n",
  },
  ...byModel(
    'claude',
    'Has the product print more than is shown at once, and asks for the lines that were left out.',
    function* () {
      const { text } = yield run('node many.mjs')
      const [file = ''] = /\$MDTEST_SCRATCH\/\w+\.out/.exec(text) ?? []
      const rest = yield run(`sed -n 700p "${file}"`)
      const seen = /^note 700: \w+$/m.exec(rest.text)?.[0] ?? 'nothing'
      yield report('1-list-them', {
        checks: [
          { n: 1, status: 'pass', evidence: [{ quote: seen }] },
          { n: 2, status: 'pass', evidence: [{ quote: /^note 1500: \w+$/m.exec(text)?.[0] ?? 'nothing' }] },
        ],
      })
    },
  ),
}
