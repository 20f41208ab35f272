import { once } from 'node:events'

export default {
  does: 'Prints 50 MB in one line, then writes a passing log.',
  as: 'codex',
  async act({ open, writeLog }) {
    open()
    const chunk = 'x'.repeat(1024 * 1024)
    for (let megabytes = 0; megabytes < 50; megabytes += 1) {
      if (!process.stdout.write(chunk)) await once(process.stdout, 'drain')
    }
    writeLog({ status: 'pass' })
  },
}
