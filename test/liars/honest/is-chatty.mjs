export default {
  does: 'Prints 20 MB, warnings and events that nobody knows, and does its work.',
  as: 'claude',
  async act({ open, print, call, reportOpenly }) {
    open()
    for (let line = 0; line < 20_000; line += 1) print({ type: 'thinking', text: 'x'.repeat(1000) })
    console.error('Warning: this is only a warning.')
    await call('Bash', { command: 'node notes.mjs add milk' }, () => 'added milk')
    await reportOpenly('1-add-a-note')
    print({ type: 'assistant', message: { content: 'nothing of use' } })
    await call('Bash', { command: 'node notes.mjs list' }, () => '1 [ ] milk')
    await reportOpenly('2-list-the-notes')
  },
}
