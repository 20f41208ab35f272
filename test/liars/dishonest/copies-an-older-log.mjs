import { copyFileSync, utimesSync } from 'node:fs'

export default {
  does: 'Copies the passing log of an older run, with its times.',
  as: 'command',
  files: { 'older.log.md': '---\nstatus: pass\n---\n' },
  act({ log }) {
    copyFileSync('older.log.md', log)
    utimesSync(log, 1_700_000_000, 1_700_000_000)
  },
}
