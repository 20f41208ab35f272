export default {
  does: 'Writes a passing log, hangs, and ignores SIGTERM.',
  as: 'claude',
  front: ['silence-timeout: 1500ms'],
  act({ writeLog }) {
    process.on('SIGTERM', () => {})
    writeLog({ status: 'pass' })
    setInterval(() => {}, 1000)
  },
}
