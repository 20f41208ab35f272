import { expect, test } from 'vitest'
import { environmentOf } from '../../../../src/commands/fix/acts/run-and-judge-tests.ts'
import { createSession, defaultSettings } from '../../../../src/commands/fix/session/session-state.ts'

const env = {
  ...{
    PATH: '/bin',
    LANG: 'C',
    API_KEY: 'sk-0123456789abcdef',
    COPY: 'sk-0123456789abcdef',
    SPACED: ' sk-0123456789abcdef ',
  },
  ...{ DB_PASSWORD: 'correct horse battery', EMPTY_TOKEN: '' },
}

test.each<readonly [string, string[], readonly string[]]>([
  ['nothing is passed', [], ['PATH', 'LANG', 'EMPTY_TOKEN']],
  ['one is passed', ['DB_PASSWORD'], ['PATH', 'LANG', 'DB_PASSWORD', 'EMPTY_TOKEN']],
  ['one that is not there is passed', ['NO_SUCH'], ['PATH', 'LANG', 'EMPTY_TOKEN']],
])('tests get no secret, by whatever name, where %s', (_, pass_env, names) => {
  const settings = { ...defaultSettings, root: '/p', pass_env }
  const state = createSession({ feature: 'f', settings, runMark: 'm', now: new Date(0) })
  expect(Object.keys(environmentOf({ env, state }))).toEqual(names)
})
