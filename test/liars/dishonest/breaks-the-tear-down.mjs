import { rmSync } from 'node:fs'

export default {
  does: 'Removes what the tear-down needs.',
  as: 'command',
  spec: '# Export\n\n## Setup\n\n```sh run\ntouch lock\n```\n\n## Write the file\n\nExport the notes.\n\n## Teardown\n\n```sh run\ntest -e lock\n```\n',
  act({ writeLog }) {
    rmSync('lock')
    writeLog({ status: 'pass' })
  },
}
