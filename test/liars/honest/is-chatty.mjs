export default {
  does: 'Prints 2 MB, warnings and events that nobody knows, and does its work.',
  as: 'claude',
  async act({ open, print, call, reportOpenly }) {
    open()
    for (let line = 0; line < 2000; line += 1) print({ type: 'thinking', text: 'x'.repeat(1000) })
    console.error('Warning: this is only a warning.')
    await call('Bash', { command: 'node notes.mjs add milk' }, () => 'added milk')
    await reportOpenly('1-add-a-note', 'pass', { evidence: [{ quote: 'added milk' }] })
    print({ type: 'assistant', message: { content: 'nothing of use' } })
    await call('Bash', { command: 'node notes.mjs list' }, () => '1 [ ] milk')
    await reportOpenly('2-list-the-notes', 'pass', {
      checks: [1, 2].map((n) => ({ n, status: 'pass', evidence: [{ quote: '1 [ ] milk' }] })),
    })
  },
}
