export default {
  does: 'Quotes the end of one line and the beginning of the next as one sentence.',
  as: 'claude',
  async act({ open, call, reportOpenly }) {
    open()
    await call('Bash', { command: 'node notes.mjs add milk' }, () => 'added milk')
    await reportOpenly('1-add-a-note')
    await call('Bash', { command: 'node notes.mjs list' }, () => 'not shown: 1\n[ ] milk was lost')
    await reportOpenly('2-list-the-notes', 'pass', { evidence: [{ quote: '1 [ ] milk' }] })
  },
}
