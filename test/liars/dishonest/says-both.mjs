import { writeFileSync } from 'node:fs'

export default {
  does: 'Writes `status: fail` and below it `status: pass`.',
  as: 'codex',
  act: ({ log }) => writeFileSync(log, '---\nstatus: fail\nstatus: pass\n---\n'),
}
