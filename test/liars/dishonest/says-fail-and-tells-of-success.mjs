export default {
  does: 'Writes `status: fail` and below it that all is well.',
  as: 'command',
  act: ({ writeLog }) => writeLog({ status: 'fail' }, 'All steps passed.\n'),
}
