export default {
  does: "Quotes a part of the first step's quote again.",
  as: 'claude',
  async act({ open, call, reportOpenly }) {
    open()
    await call('Bash', { command: 'node notes.mjs add milk' }, () => 'added milk\n1 note')
    await reportOpenly('1-add-a-note', 'pass', { evidence: [{ quote: 'added milk\n1 note' }] })
    await reportOpenly('2-list-the-notes', 'pass', { evidence: [{ quote: '1 note' }] })
  },
}
