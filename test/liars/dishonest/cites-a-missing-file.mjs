export default {
  does: 'Cites a screenshot that was never taken.',
  as: 'claude',
  async act({ report }) {
    await report('1-add-a-note')
    await report('2-list-the-notes', 'pass', { evidence: ['list.png'] })
  },
}
