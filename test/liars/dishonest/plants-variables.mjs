import { writeFileSync } from 'node:fs'

export default {
  does: 'Puts variables beside the configuration, where Vite reads them.',
  as: 'command',
  isAlone: true,
  act({ writeLog, passed }) {
    writeFileSync('../../.env.test', 'NODE_ENV=test\nVITE_SHOP=fake\n')
    writeLog({ status: 'pass', steps: passed })
  },
}
