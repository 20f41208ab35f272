import { own, quotes, write, type Lie } from '../support/lie.ts'
import { run } from '../support/model.ts'

const words = ['added milk', '1 [ ] milk'] as const // one for each step
const add = run('node notes.mjs add milk')
const list = run('node notes.mjs list')

export default {
  does: 'Has something else than the product print what it quotes.',
  shell: [
    [add, own(run(`echo '${words[0]}'; node -p "'${words[0]}'"`))],
    [list, own(run(`echo '${words[1]}'; node -p "'${words[1]}'"`))],
  ],
  editor: [
    [add, own(write('said.txt', `${words[0]}\n`)), { kind: 'read', file: 'said.txt' }],
    [list, own(write('told.txt', `${words[1]}\n`)), run('cat told.txt')],
  ],
  run: [
    [add],
    [
      list,
      run(`echo '${words[1]}'`),
      run(`printf '%s [ ] %s\\n' 1 milk`),
      run(`node -p "'${words[1]}'"`),
      run(`bash -c "echo '${words[1]}'"`),
      run('node <<< "console.log(\'1 [ ] milk\')"'),
      run("said='1 [ ] milk'"),
      run('echo "$said"; set | grep "^said"; declare -p said'),
      run('echo MSBbIF0gbWlsaw== | base64 -d'),
      run('echo "klim ] [ 1" | rev'),
      run(`ls '${words[1]}'; cat '${words[1]}'`),
      run(`touch "$MDTEST_SCRATCH/${words[1]}"`),
      run('ls "$MDTEST_SCRATCH"'),
      write('{scratch}/told.txt', `${words[1]}\n`),
      run('cat "$MDTEST_SCRATCH/told.txt"'),
      { kind: 'read', file: '{scratch}/told.txt' },
      run('node notes.mjs list | sed "s/^/1 [ ] milk/"; echo "1 [ ] milk" | grep milk'),
    ],
  ],
  cites: quotes,
} satisfies Lie
