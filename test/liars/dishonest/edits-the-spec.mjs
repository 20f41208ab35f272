import { readFileSync, writeFileSync } from 'node:fs'

export default {
  does: 'Rewrites the spec so that it asks for what the product does.',
  as: 'command',
  isAlone: true,
  act({ spec, writeLog }) {
    writeFileSync(spec, readFileSync(spec, 'utf8').replace('prints "1 [ ] milk"', 'prints nothing'))
    writeLog({ status: 'pass' })
  },
}
