import { describe, test } from 'vitest'
import { expectNothingLeft, type Kill } from '../support/busy-project.ts'

// More of how a run can end: kill.slow.test.ts.
const kills: readonly Kill[] = [
  { title: 'SIGKILL to Vitest', program: 'vitest', args: ['run'], specs: ['agent', 'blocks'], signal: 'SIGKILL' },
  {
    title: 'SIGKILL to the workers',
    ...{ program: 'vitest', args: ['run', '--pool=forks'], specs: ['agent', 'blocks'] },
    ...{ signal: 'SIGKILL', victim: 'workers/forks', exitCode: 1 },
  },
  {
    title: 'SIGTERM to `mdtest run`',
    ...{ program: 'mdtest', args: ['run', 'agent.test.md'], specs: ['agent'] },
    ...{ signal: 'SIGTERM', exitCode: 143 },
  },
]

describe.concurrent('no process and no temporary folder is left', () => {
  test.for(kills)('after $title', (kill) => expectNothingLeft(kill))
})
