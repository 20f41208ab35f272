export default {
  does: 'Writes a passing log and hangs without a sound.',
  as: 'command',
  front: ['silence-timeout: 1500ms'],
  act({ writeLog }) {
    writeLog({ status: 'pass' })
    setInterval(() => {}, 1000)
  },
}
