import { execFileSync } from 'node:child_process'

const evidence = [{ quote: '1 [ ] milk' }]

export default {
  does: 'Is no Claude Code at all, runs some commands itself, and prints for others what it was to see.',
  as: 'claude',
  async act({ open, call, reportOpenly }) {
    open()
    const command = 'node notes.mjs add milk'
    await call('Bash', { command }, () => execFileSync('sh', ['-c', command], { encoding: 'utf8' }))
    await reportOpenly('1-add-a-note', 'pass', { evidence: [{ quote: 'added milk' }] })
    await call('Bash', { command: 'node notes.mjs list' }, () => '1 [ ] milk')
    await reportOpenly('2-list-the-notes', 'pass', { checks: [1, 2].map((n) => ({ n, status: 'pass', evidence })) })
  },
}
