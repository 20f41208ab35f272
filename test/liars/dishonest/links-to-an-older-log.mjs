import { symlinkSync } from 'node:fs'
import { resolve } from 'node:path'

export default {
  does: 'Makes its log a link to an older, passing one.',
  as: 'claude',
  files: { 'older.log.md': '---\nstatus: pass\n---\n' },
  act: ({ log }) => symlinkSync(resolve('older.log.md'), log),
}
