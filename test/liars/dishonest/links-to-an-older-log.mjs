import { symlinkSync } from 'node:fs'
import { resolve } from 'node:path'

export default {
  does: 'Makes its log a link to the passing one of an older run.',
  as: 'claude',
  files: { 'older.log.md': '---\nstatus: pass\n---\n' },
  act: ({ log }) => symlinkSync(resolve('older.log.md'), log),
}
