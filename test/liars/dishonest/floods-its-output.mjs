import { once } from 'node:events'

export default {
  does: 'Prints 1 GB, then writes a passing log.',
  as: 'claude',
  async act({ open, writeLog }) {
    open()
    const chunk = `${'x'.repeat(1023)}\n`.repeat(1024)
    for (let megabytes = 0; megabytes < 1024; megabytes += 1) {
      if (!process.stdout.write(chunk)) await once(process.stdout, 'drain')
    }
    writeLog({ status: 'pass' })
  },
}
