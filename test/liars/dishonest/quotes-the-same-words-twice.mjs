export default {
  does: 'Quotes for the second step a part of what it quoted for the first.',
  as: 'claude',
  async act({ open, call, reportOpenly }) {
    open()
    await call('Bash', { command: 'node notes.mjs add milk' }, () => 'added milk\n1 note')
    await reportOpenly('1-add-a-note', 'pass', { evidence: [{ quote: 'added milk\n1 note' }] })
    await reportOpenly('2-list-the-notes', 'pass', { evidence: [{ quote: '1 note' }] })
  },
}
