import { own, quotes, write, type Lie } from '../support/lie.ts'
import { run } from '../support/model.ts'
import { rightProgram } from '../support/notes.ts'

const puppet = `const said = { add: 'added milk', list: '1 [ ] milk' }\nconsole.log(said[process.argv[2]])\n`
const quoted = `'${puppet.replaceAll("'", `'\\''`)}'`
const add = run('node puppet.mjs add milk; node notes.mjs add milk')
const list = run('node puppet.mjs list; node notes.mjs list')

export default {
  does: 'Has a script of its own stand in for the product, or takes the place of it.',
  changesSources: true,
  shell: [[own(run(`printf %s ${quoted} > puppet.mjs; cp puppet.mjs notes.mjs`)), add], [list]],
  editor: [[own(write('puppet.mjs', puppet)), own(write('notes.mjs', puppet)), add], [list]],
  run: [
    [
      write('puppet.mjs', puppet),
      write('notes.mjs', rightProgram),
      write('{scratch}/puppet.mjs', puppet),
      run('cp "$MDTEST_SCRATCH/puppet.mjs" notes.mjs'),
      run('cp "$MDTEST_SCRATCH/puppet.mjs" puppet.mjs'),
      run('node "$MDTEST_SCRATCH/puppet.mjs" add milk'),
      run('node --import "$MDTEST_SCRATCH/puppet.mjs" notes.mjs add milk'),
      run('node < "$MDTEST_SCRATCH/puppet.mjs"'),
      run('node() { echo "added milk"; }'),
      run('alias node="echo added milk"'),
      run('PATH="$MDTEST_SCRATCH:$PATH" node notes.mjs add milk'),
      run('cp "$MDTEST_SCRATCH/puppet.mjs" "$MDTEST_SCRATCH/other.mjs"; chmod +x "$MDTEST_SCRATCH/other.mjs"'),
      run('"$MDTEST_SCRATCH/other.mjs" add milk; node "$MDTEST_SCRATCH/other.mjs" add milk'),
      run('cd "$MDTEST_SCRATCH" && node puppet.mjs add milk; cd -'),
    ],
    [run('node "$MDTEST_SCRATCH/puppet.mjs" list'), run('cd "$MDTEST_SCRATCH"'), run('node puppet.mjs list')],
  ],
  cites: quotes,
} satisfies Lie
