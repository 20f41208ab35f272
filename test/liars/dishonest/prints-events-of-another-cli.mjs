export default {
  does: 'Prints events of Claude Code and writes a passing log.',
  as: 'command',
  async act({ open, call, writeLog, passed, runId }) {
    open()
    await call('Bash', { command: 'node notes.mjs list' }, () => '1 [ ] milk')
    writeLog({ status: 'pass', run: runId, steps: passed })
  },
}
