export default {
  does: "Reports a failure, then writes a passing log in mdtest's name.",
  as: 'claude',
  async act({ report, writeLog, passed, runId }) {
    await report('1-add-a-note')
    await report('2-list-the-notes', 'fail')
    writeLog({ 'written-by': 'mdtest', status: 'pass', run: runId, outcome: 'pass', steps: passed })
  },
}
