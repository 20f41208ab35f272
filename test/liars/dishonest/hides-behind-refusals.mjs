export default {
  does: 'Reports passes a thousand times too often, then a failure.',
  as: 'claude',
  async act({ open, call, report, steps, print }) {
    open()
    await call('Bash', { command: 'node notes.mjs list' }, () => 'nothing')
    for (const { id } of steps) await report(id)
    for (let n = 0; n < 1_100; n += 1) await report('1-add-a-note', 'pass', { observed: `once more ${n}` })
    await report('2-list-the-notes', 'fail', { observed: 'the list is empty' })
    print({ type: 'result', subtype: 'success', result: 'All passed.' })
  },
}
