import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export default {
  does: 'Cites a file that is older than the run.',
  as: 'codex',
  async act({ report, evidenceDir }) {
    const file = join(evidenceDir, 'list.txt')
    mkdirSync(evidenceDir, { recursive: true })
    writeFileSync(file, '1 [ ] milk')
    utimesSync(file, 1_700_000_000, 1_700_000_000)
    await report('1-add-a-note')
    await report('2-list-the-notes', 'pass', { evidence: ['list.txt'] })
  },
}
