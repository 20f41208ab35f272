export default {
  does: 'Writes a passing log and goes on talking for ever.',
  as: 'codex',
  front: ['timeout: 3s'],
  act({ writeLog }) {
    writeLog({ status: 'pass' })
    setInterval(() => console.log('Still at it.'), 100)
  },
}
