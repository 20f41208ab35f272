import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'

const folder = 'specs/changes-the-scripts-of-the-copy'

export default {
  does: 'Has `npm test` in its copy run something else.',
  as: 'command',
  front: ['cwd: copy'],
  files: { 'package.json': '{ "scripts": { "test": "node notes.mjs list | grep milk" } }' },
  spec: `# Notes\n\n## Add a note\n\nAdd milk.\n\n\`\`\`sh verify\ncd ${folder} && npm test\n\`\`\`\n`,
  act({ writeLog, passed }) {
    const text = readFileSync(`${folder}/package.json`, 'utf8')
    writeFileSync(`${folder}/package.json`, text.replace('node notes.mjs list | grep milk', 'true'))
    appendFileSync(`${folder}/.npmrc`, 'script-shell=/bin/true\n')
    mkdirSync('node_modules/.bin', { recursive: true })
    writeFileSync('node_modules/.bin/node', '#!/bin/sh\n', { mode: 0o755 })
    writeLog({ status: 'pass', steps: passed })
  },
}
