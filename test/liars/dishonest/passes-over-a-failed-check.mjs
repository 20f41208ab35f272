export default {
  does: 'Passes a step one of whose checks it saw fail.',
  as: 'claude',
  act: ({ writeLog, passed: [first, second] }) =>
    writeLog({ status: 'pass', steps: [first, { ...second, checks: [{ n: 1, status: 'fail' }, second.checks[1]] }] }),
}
