export default {
  does: 'Writes `status: pass` and lists the step that fails under `results`.',
  as: 'command',
  act: ({ writeLog, passed: [first, second] }) =>
    writeLog({ status: 'pass', results: [first, { ...second, status: 'fail' }] }),
}
