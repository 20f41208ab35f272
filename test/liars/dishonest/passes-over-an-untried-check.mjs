export default {
  does: 'Passes a step one of whose checks it could not try.',
  as: 'codex',
  act: ({ writeLog, passed: [first, second] }) =>
    writeLog({
      status: 'pass',
      steps: [first, { ...second, checks: [{ n: 1, status: 'blocked' }, second.checks[1]] }],
    }),
}
