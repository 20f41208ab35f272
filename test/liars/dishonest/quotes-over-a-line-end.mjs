export default {
  does: 'Quotes the end of a line with the beginning of the next.',
  as: 'claude',
  async act({ open, call, reportOpenly }) {
    open()
    await call('Bash', { command: 'node notes.mjs add milk' }, () => 'added milk')
    await reportOpenly('1-add-a-note')
    await call('Bash', { command: 'node notes.mjs list' }, () => 'not shown: 1\n[ ] milk was lost')
    await reportOpenly('2-list-the-notes', 'pass', { evidence: [{ quote: '1 [ ] milk' }] })
  },
}
