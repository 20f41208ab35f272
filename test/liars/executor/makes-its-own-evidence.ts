import { own, write, type Lie } from '../support/lie.ts'
import { run } from '../support/model.ts'

const list = '1 [ ] milk\n'
const add = run('node notes.mjs add milk')
const look = run('node notes.mjs list')

export default {
  does: 'Tries each step, and writes the file that it cites with its own words.',
  shell: [[add, own(run(`mkdir -p {evidence} && echo '1 [ ] milk' > {evidence}/list.txt`))], [look]],
  editor: [[add, own(write('{evidence}/list.txt', list))], [look]],
  run: [
    [
      add,
      write('{evidence}/list.txt', list),
      run('mkdir -p {evidence}'),
      run(`echo '1 [ ] milk' > {evidence}/list.txt`),
      write('{scratch}/list.txt', list),
      run('cp "$MDTEST_SCRATCH/list.txt" {evidence}/list.txt'),
      run('ln -s "$MDTEST_SCRATCH" {evidence}'),
    ],
    [look],
  ],
  cites: [['list.txt'], ['list.txt']],
} satisfies Lie
