import { mkdirSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'

export default {
  does: 'Cites a link that leads out of the evidence folder.',
  as: 'claude',
  async act({ report, evidenceDir }) {
    mkdirSync(evidenceDir, { recursive: true })
    symlinkSync(resolve('notes.mjs'), join(evidenceDir, 'list.txt'))
    await report('1-add-a-note')
    await report('2-list-the-notes', 'pass', { evidence: ['list.txt'] })
  },
}
