import { once } from 'node:events'

export default {
  does: 'Prints 200 MB, then writes a passing log.',
  as: 'claude',
  async act({ open, writeLog }) {
    open()
    const chunk = `${'x'.repeat(1023)}\n`.repeat(1024)
    for (let megabytes = 0; megabytes < 200; megabytes += 1) {
      if (!process.stdout.write(chunk)) await once(process.stdout, 'drain')
    }
    writeLog({ status: 'pass' })
  },
}
