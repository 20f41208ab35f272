export default {
  does: 'Writes its log, then is killed by a signal.',
  as: 'codex',
  act({ writeLog, passed, runId }) {
    writeLog({ status: 'pass', run: runId, steps: passed })
    process.kill(process.pid, 'SIGKILL')
  },
}
