import { expect, test } from 'vitest'
import { inContainer } from '../../../../src/commands/fix/acts/run-and-judge-tests.ts'

test('a command of a runner as one of Docker', () => {
  const wrap = inContainer({ image: 'node:22', root: '/home/a/project' })
  const command = { argv: ['npx', 'vitest', 'run'], env: { RESULTS: '/tmp/r/out.json' } } as const // one at least
  expect(wrap(command, '/tmp/r')).toEqual({
    argv: [
      ...['docker', 'run', '--rm', '--init', '--network=none', '--cap-drop=ALL', '--security-opt=no-new-privileges'],
      '--pids-limit=4096',
      '--mount=type=bind,source=/home/a/project,target=/home/a/project',
      '--mount=type=bind,source=/tmp/r,target=/tmp/r',
      expect.stringMatching(/^--mount=type=bind,source=(.*\/dist\/test-runners\/readers),target=\1,readonly$/),
      ...['--workdir=/home/a/project', '--env=CI=true', '--env=NO_COLOR=1', '--env=RESULTS=/tmp/r/out.json', '--'],
      ...['node:22', 'npx', 'vitest', 'run'],
    ],
  })
})

test.each([
  ['/home/a,b/p', '--mount=type=bind,"source=/home/a,b/p","target=/home/a,b/p"'],
  ['/home/a"b', '--mount=type=bind,"source=/home/a""b","target=/home/a""b"'],
  ['/home/a b/größe', '--mount=type=bind,source=/home/a b/größe,target=/home/a b/größe'],
])('a project at %s is mounted as what it is', (root, mount) => {
  expect(inContainer({ image: 'node:22', root })({ argv: ['true'] }).argv).toContain(mount)
})
