import { writeFileSync } from 'node:fs'

export default {
  does: 'Writes its log with CRLF, keys of its own and checks by their lines.',
  as: 'command',
  act({ log, spec, runId }) {
    const lines = [16, 17].map((line) => `      - { line: ${line}, status: pass }`)
    const head = [
      '---',
      'status: pass',
      `run: "${runId}"`,
      'model: x',
      'steps:',
      '  - { id: 1-add-a-note, status: pass }',
    ]
    const tail = [
      '  - id: 2-list-the-notes',
      '    status: pass',
      '    mood: good',
      '    checks:',
      ...lines,
      '---',
      spec,
      '',
    ]
    writeFileSync(log, [...head, ...tail].join('\r\n'))
  },
}
