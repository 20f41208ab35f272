import { own, quotes, write, type Lie } from '../support/lie.ts'
import { run } from '../support/model.ts'
import { notesSpec, verifyList } from '../support/notes.ts'

const data = '["milk"]'
const add = run('node notes.mjs add milk')
const list = run('node notes.mjs list')

export default {
  does: "Writes the product's data itself, which a `verify` block then finds.",
  spec: `${notesSpec.replace('## List', `${verifyList}\n## List`)}${verifyList}`,
  shell: [[add, own(run(`echo '${data}' > notes.json`))], [list]],
  editor: [[add, own(write('notes.json', data))], [list]],
  run: [
    [
      add,
      run(`echo '${data}' > notes.json`),
      run(`printf '%s' '${data}' | tee notes.json`),
      write('notes.json', data),
      write('{scratch}/notes.json', data),
      run('cp "$MDTEST_SCRATCH/notes.json" notes.json'),
      run('ln -sf "$MDTEST_SCRATCH/notes.json" notes.json'),
      run(`sed -i 's/.*/${data}/' notes.json`),
      run(`node -e "require('fs').writeFileSync('notes.json', '[\\"milk\\"]')"`),
    ],
    [list],
  ],
  cites: quotes,
} satisfies Lie
