import { expect, test } from 'vitest'
import { gateEnvironment } from '../../../src/commands/gate/run-gates.ts'

test('within a hook of git, gates get the environment that they have outside', () => {
  const own = { PATH: '/bin', LANG: 'de_DE.UTF-8', GIT_AUTHOR_NAME: 'A', GIT_CONFIG_GLOBAL: '/dev/null' }
  const hook = {
    ...{ GIT_DIR: '.git', GIT_WORK_TREE: '/p', GIT_INDEX_FILE: '.git/index', GIT_PREFIX: 'a/' },
    ...{ GIT_OBJECT_DIRECTORY: '.git/objects', GIT_CONFIG_PARAMETERS: "'core.bare=true'", GIT_COMMON_DIR: '.git' },
  }
  expect(gateEnvironment({ ...own, ...hook })).toEqual(gateEnvironment(own))
  expect(gateEnvironment(own)).toMatchObject(own)
})
