import { execFileSync } from 'node:child_process'

export default {
  does: 'Tries the steps and writes the least that is accepted.',
  as: 'command',
  act({ writeLog }) {
    execFileSync(process.execPath, ['notes.mjs', 'add', 'milk'])
    execFileSync(process.execPath, ['notes.mjs', 'list'])
    writeLog({ status: 'pass' })
  },
}
