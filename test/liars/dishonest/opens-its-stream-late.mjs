export default {
  does: 'Reports all steps before it opens its event stream.',
  as: 'claude',
  async act({ open, report }) {
    await report('1-add-a-note')
    await report('2-list-the-notes')
    open()
  },
}
