import { addNote, byModel, report, run } from '../support/model.ts'

export default {
  spec: `# Notes

## Add a note

Run \`node build.mjs\`, then \`node dist/notes.mjs add milk\`. It prints "added milk".

\`\`\`sh verify
node dist/notes.mjs list | grep milk
\`\`\`
`,
  files: {
    '.gitignore': 'dist\n',
    'build.mjs': `import { cpSync, rmSync, writeFileSync } from 'node:fs'\nrmSync('dist', { recursive: true, force: true })\ncpSync('notes.mjs', 'dist/notes.mjs')\nwriteFileSync('dist/stamp', String(Date.now()))\nwriteFileSync('dist/package.json', '{ "type": "module" }')\n`,
  },
  ...byModel(
    'codex',
    'Builds the product into a folder that git ignores, twice, and runs what it built.',
    function* () {
      yield run('node build.mjs && node dist/notes.mjs add milk')
      yield run('node build.mjs && git status --short && node dist/notes.mjs list')
      yield report(addNote, { evidence: [{ quote: 'added milk' }] })
    },
  ),
}
