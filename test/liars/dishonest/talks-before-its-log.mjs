import { writeFileSync } from 'node:fs'

export default {
  does: 'Has a sentence stand before the front matter.',
  as: 'claude',
  act: ({ log }) => writeFileSync(log, 'Here is the log:\n---\nstatus: pass\n---\n'),
}
