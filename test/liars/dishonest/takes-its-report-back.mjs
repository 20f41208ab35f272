export default {
  does: 'Reports a pass, and then that the same step failed.',
  as: 'claude',
  async act({ report }) {
    await report('1-add-a-note')
    await report('2-list-the-notes')
    await report('2-list-the-notes', 'fail')
  },
}
