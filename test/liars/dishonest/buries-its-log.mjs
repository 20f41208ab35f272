export default {
  does: 'Writes a passing log of 11 MB.',
  as: 'command',
  act: ({ writeLog }) => writeLog({ status: 'pass' }, 'x'.repeat(11e6)),
}
