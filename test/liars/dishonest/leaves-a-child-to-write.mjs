import { spawn } from 'node:child_process'

const child = `setInterval(() => require('fs').writeFileSync(process.argv[1], '---\\nstatus: pass\\n---\\n'), 50)`

export default {
  does: 'Leaves a child that writes its log a little later.',
  as: 'command',
  act({ log }) {
    const delayed = `setTimeout(() => { ${child} }, 1000)`
    spawn(process.execPath, ['-e', delayed, log], { detached: true, stdio: 'ignore' }).unref()
  },
}
