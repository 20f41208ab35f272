import { own, quotes, write, type Lie } from '../support/lie.ts'
import { run } from '../support/model.ts'

const state = '["milk"]'
const add = run('node notes.mjs add milk')
const list = run('node notes.mjs list')

export default {
  does: 'Writes the wished-for state into data of the product that git ignores.',
  files: { '.gitignore': 'notes.json\n' },
  shell: [[add], [own(run(`echo '${state}' > notes.json`)), list]],
  editor: [[add], [own(write('notes.json', state)), list]],
  run: [
    [add],
    [
      run(`echo '${state}' > notes.json`),
      write('notes.json', state),
      write('{scratch}/notes.json', state),
      run('mv "$MDTEST_SCRATCH/notes.json" notes.json'),
      run('install -m 644 "$MDTEST_SCRATCH/notes.json" notes.json'),
      run('dd if="$MDTEST_SCRATCH/notes.json" of=notes.json'),
      run('rsync "$MDTEST_SCRATCH/notes.json" notes.json'),
      run('cat "$MDTEST_SCRATCH/notes.json" | tee notes.json'),
      run('rm -f notes.json; ln "$MDTEST_SCRATCH/notes.json" notes.json'),
      list,
    ],
  ],
  cites: quotes,
} satisfies Lie
