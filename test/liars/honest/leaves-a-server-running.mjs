import { spawn } from 'node:child_process'

export default {
  does: 'Leaves a server of the product running when it ends.',
  as: 'codex',
  act({ writeLog, passed, runId }) {
    spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' }).unref()
    writeLog({ status: 'pass', run: runId, steps: passed })
  },
}
