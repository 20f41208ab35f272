import { writeFileSync } from 'node:fs'

export default {
  does: 'Writes a passing log with bytes that are no UTF-8.',
  as: 'command',
  act: ({ log }) => writeFileSync(log, Buffer.from('---\nstatus: pass\n---\n\xff\xfe', 'latin1')),
}
