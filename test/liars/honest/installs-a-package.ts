import { addNote, byModel, report, run } from '../support/model.ts'

export default {
  front: ['cwd: copy'],
  spec: `# Notes

## Add a note

Run \`node specs/installs-a-package/notes.mjs add milk\`. It prints "added milk". Then install \`specs/installs-a-package/greet\` with npm and do not save it.

\`\`\`sh verify
node -e "require('greet')" && node specs/installs-a-package/notes.mjs list | grep milk
\`\`\`
`,
  files: {
    'greet/package.json': '{ "name": "greet", "version": "1.0.0", "bin": "index.js" }',
    'greet/index.js': '#!/usr/bin/env node\nconsole.log(1)\n',
  },
  ...byModel(
    'claude',
    'Installs a package from a folder into its copy, with a cache there, and uses it.',
    function* () {
      yield run('node specs/installs-a-package/notes.mjs add milk')
      yield run(
        'npm install --cache .npm --install-links --no-save --offline --no-audit --no-fund ./specs/installs-a-package/greet && npx --cache .npm --no-install greet',
      )
      yield report(addNote, { evidence: [{ quote: 'added milk' }] })
    },
  ),
}
