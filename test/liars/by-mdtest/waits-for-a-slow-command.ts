import { callExecutor, byModel, report, run } from '../support/model.ts'

export default {
  front: ["allow: ['Bash(node slow.mjs)']"],
  spec: `# Slow

## Build

Run \`node slow.mjs\`. It takes some 20 seconds and prints "built 3 pages".
`,
  files: {
    'slow.mjs': "console.log('building')\nsetTimeout(() => console.log('built ' + 1.5 * 2 + ' pages'), 21_000)\n",
  },
  ...byModel('codex', 'Has a command run for longer than an answer may take, and waits on.', function* () {
    let { text } = yield run('node slow.mjs')
    while (text.includes('still runs')) {
      const id = /next_output \{"id": "(\w+)"\}/.exec(text)?.[1] ?? ''
      ;({ text } = yield callExecutor('next_output', { id }))
    }
    yield report('1-build', { evidence: [{ quote: 'built 3 pages' }] })
  }),
}
