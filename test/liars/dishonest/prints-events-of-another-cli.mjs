export default {
  does: 'Prints events of Claude Code, though nobody takes it for that, and writes a full passing log.',
  as: 'command',
  async act({ open, call, writeLog, passed, runId }) {
    open()
    await call('Bash', { command: 'node notes.mjs list' }, () => '1 [ ] milk')
    writeLog({ status: 'pass', run: runId, steps: passed })
  },
}
