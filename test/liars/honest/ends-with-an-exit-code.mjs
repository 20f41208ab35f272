export default {
  does: 'Writes its log and ends with exit code 3.',
  as: 'claude',
  act({ writeLog, passed, runId }) {
    writeLog({ status: 'pass', run: runId, steps: passed })
    process.exitCode = 3
  },
}
